import { join } from "node:path";
import { browserIn } from "../base/browser.ts";
import { keepClientError, stackWithoutAddresses, withoutAddresses } from "../events/clientErrors.ts";
import { createStacks } from "../events/stacks.ts";
import type { Handler } from "./shared/handler.ts";

const readable = createStacks(join(import.meta.dirname, "../../../build/maps"));

/** Logs a page's error, with its places in our sources. Only the path of the page's address is logged, because a query may hold a token. */
export const reportError: Handler<"reportError"> = async ({ body, device, headers, log }, services) => {
  const { message, stack, url, appVersion, release, questionnaire, route } = body;
  const page = url.split(/[?#]/)[0] ?? "";
  const sourceStack = stack === undefined ? undefined : stackWithoutAddresses(readable(stack));
  log.warn(
    { page, route, questionnaire, device, appVersion, release, report: withoutAddresses(message), stack: sourceStack },
    "A page reported an error",
  );
  await keepClientError(services, {
    message,
    stack: sourceStack ?? "",
    appVersion: release ?? appVersion,
    browser: browserIn(headers["user-agent"] ?? ""),
    route: route ?? "",
    questionnaire: questionnaire ?? "",
    device,
  });
  return {};
};

import { join } from "node:path";
import { createStacks } from "../events/stacks.ts";
import type { Handler } from "./shared/handler.ts";

const readable = createStacks(join(import.meta.dirname, "../../../build/maps"));

/** A page's error goes to the log, with its places in our sources; of its address only the path, because a query may carry a token. */
export const reportError: Handler<"reportError"> = async ({ body, device, log }) => {
  const { message, stack, url, appVersion, release, questionnaire, route } = body;
  const page = url.split(/[?#]/)[0] ?? "";
  log.warn(
    { page, route, questionnaire, device, appVersion, release, report: message, stack: stack === undefined ? undefined : readable(stack) },
    "A page reported an error",
  );
  return {};
};

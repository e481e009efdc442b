import type { Handler } from "../handler.ts";

/** A page's error goes to the log; of its address only the path, because a query may carry a token. */
export const reportError: Handler<"reportError"> = async ({ body, device, log }) => {
  const page = body.url.split(/[?#]/)[0] ?? "";
  log.warn({ page, device, appVersion: body.appVersion, report: body.message, stack: body.stack }, "A page reported an error");
  return {};
};

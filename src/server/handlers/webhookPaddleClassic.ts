import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/** A signed alert of Paddle Classic: answered once it is stored, applied afterwards. */
export const webhookPaddleClassic: Handler<"webhookPaddleClassic"> = async ({ rawBody, headers, log }, { payments }) => {
  if (await payments.receive("paddle", rawBody, headers)) return {};
  log.warn("A webhook without a valid signature was refused.");
  return refuse("invalidSignature");
};

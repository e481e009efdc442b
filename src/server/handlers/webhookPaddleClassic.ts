import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/** A signed alert of Paddle Classic: answered once it is stored, applied afterwards. */
export const webhookPaddleClassic: Handler<"webhookPaddleClassic"> = async ({ rawBody, headers }, { payments }) =>
  (await payments.receive("paddle", rawBody, headers)) ? {} : refuse("invalidSignature");

import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";

/** A signed event of Paddle Billing: answered once it is stored, applied afterwards. */
export const webhookPaddleBilling: Handler<"webhookPaddleBilling"> = async ({ rawBody, headers }, { payments }) =>
  (await payments.receive("paddlebilling", rawBody, headers)) ? {} : refuse("invalidSignature");

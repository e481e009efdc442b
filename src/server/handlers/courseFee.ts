import { courseFee as choose } from "#content/catalog/courseFee.ts";
import type { Handler } from "../handler.ts";

/** Which products this visitor is offered (spec 001 §7). */
export const courseFee: Handler<"courseFee"> = async ({ body: { attributes } }, { payments }) => ({
  value: choose({ ...attributes, plan: attributes.plan ?? "" }, payments.providers),
});

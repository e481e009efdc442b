import type { Handler } from "../handler.ts";
import { checkoutLink } from "../payments/checkoutLink.ts";

/** The provider's own page for the same order as createTransaction's: the way on where its script does not come. */
export const payLink: Handler<"payLink"> = checkoutLink;

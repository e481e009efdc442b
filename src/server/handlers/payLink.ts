import type { Handler } from "./shared/handler.ts";
import { checkoutLink } from "./shared/checkoutLink.ts";

/** The provider's own page for the same order as createTransaction's: the way on where its script does not come. */
export const payLink: Handler<"payLink"> = checkoutLink;

import type { Handler } from "./shared/handler.ts";
import { checkoutLink } from "./shared/checkoutLink.ts";

/** The provider's own page for the same order as createTransaction's, for browsers in which the provider's script does not load. */
export const payLink: Handler<"payLink"> = checkoutLink;

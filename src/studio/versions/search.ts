/** What the address of this screen carries: its filters and what is open. All of it is optional; arrays stand as `a,b`. */
import * as v from "valibot";

export const versionsSearch = v.object({});

/** What the address of this screen carries beside whose it is. */
import * as v from "valibot";

export const personSearch = v.object({});

/** The address of this screen carries nothing. */
import * as v from "valibot";

export const todaySearch = v.object({});

/** This screen has no search parameters. */
import * as v from "valibot";

export const todaySearch = v.object({});

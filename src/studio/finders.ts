/** Server searches of the command palette, one per folder. */
import type { Role } from "./contract/call.ts";
import { personFinder } from "./people/finder.ts";
import type { Finder } from "./shell/commands.ts";

export const finders: readonly (Finder & { readonly role: Role })[] = [{ ...personFinder, role: "support" }];

/** Searches of the command palette that ask the server. */
import type { Role } from "./contract/call.ts";
import { personFinder } from "./people/finder.ts";
import type { Finder } from "./shell/commands.ts";

export const finders: readonly (Finder & { readonly role: Role })[] = [{ ...personFinder, role: "support" }];

/** What Ctrl K looks up on the server as the operator types; each folder brings its own. */
import type { Role } from "./contract/call.ts";
import type { Finder } from "./shell/commands.ts";

export const finders: readonly (Finder & { readonly role: Role })[] = [];

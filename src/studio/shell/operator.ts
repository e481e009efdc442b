/** Who is signed in. */
import { createContext, useContext } from "react";
import type { Output } from "../client.ts";
import { mayAs, type Role } from "../contract/call.ts";

export type Me = Output<"me">;
export const MeContext = createContext<Me | null>(null);

export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === null) throw new Error("useMe needs a signed-in operator");
  return me;
}

export const roleNames: Readonly<Record<Role, string>> = {
  viewer: "Viewer",
  support: "Support",
  editor: "Editor",
  publisher: "Publisher",
  admin: "Admin",
};

/** Whether the operator may do what a role may. */
export function useMay(role: Role): boolean {
  return mayAs(useMe().operator.role, role);
}

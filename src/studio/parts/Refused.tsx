/** Says which role is needed for something that the operator may not do, and who can give it. */
import type { ReactNode } from "react";
import { mayAs, type Role, roles } from "../contract/call.ts";
import { roleNames, useMe } from "../shell/operator.ts";
import { Notice } from "./Signs.tsx";

export function Refused({ needs, children }: { readonly needs: Role; readonly children?: ReactNode }) {
  const { operator, admins } = useMe();
  const enough = roles.filter((role) => mayAs(role, needs)).map((role) => roleNames[role]);
  const others = admins.filter((name) => name !== operator.name);
  return (
    <Notice tone="care" title={`This needs the role ${enough.join(", ").replace(/, ([^,]*)$/, " or $1")}`}>
      <p>
        {children !== undefined && <>{children} </>}
        Your role is {roleNames[operator.role]}.{" "}
        {others.length === 0
          ? "An admin can change it"
          : `${others.length === 1 ? "The admin" : "One of the admins"} ${others.join(", ")} can change it`}{" "}
        under Settings › Operators.
      </p>
    </Notice>
  );
}

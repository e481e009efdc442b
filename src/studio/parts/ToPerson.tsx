/** A link to the person that an action was about; plain text for none, and once they are erased. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

export function ToPerson({ person, children }: { readonly person: string | null; readonly children: ReactNode }) {
  if (person === null) return children;
  return (
    <Link className="link" data-row="" to="/people/$uuid" params={{ uuid: person }}>
      {children}
    </Link>
  );
}

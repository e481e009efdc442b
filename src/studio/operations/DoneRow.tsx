import type { ReactNode } from "react";
import { When } from "../parts/Formats.tsx";

/** What somebody did, and when. */
export function DoneRow({ at, children }: { readonly at: number; readonly children: ReactNode }) {
  return (
    <li>
      <span>{children}</span>
      <span className="quiet push">
        <When at={at} />
      </span>
    </li>
  );
}

import { inWords } from "../parts/formats.ts";
import { Status } from "../parts/Signs.tsx";

type State = "active" | "past_due" | "paused" | "deleted";
const signs = {
  active: ["good", "Access until"],
  past_due: ["care", "Payment overdue, access to"],
  paused: ["care", "Paused since"],
  deleted: ["none", "Access ended"],
} as const;

/** The state of somebody's access, as a mark and a word. */
export function PlanSign({ status, end }: { readonly status: State | null; readonly end: number | null }) {
  if (status === null) return <Status tone="none">Never paid</Status>;
  const [tone, words] = signs[status];
  return (
    <Status tone={tone}>
      {words} {end === null ? "" : inWords.dayAndYear(end)}
    </Status>
  );
}

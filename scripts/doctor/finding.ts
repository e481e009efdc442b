/** The result of one check of the doctor. */
export type Verdict = "ok" | "warning" | "fault";

export interface Finding {
  readonly verdict: Verdict;
  readonly says: string;
  /** What to do about it; null when nothing is needed. */
  readonly remedy: string | null;
}

export const ok = (says: string): Finding => ({ verdict: "ok", says, remedy: null });
export const warning = (says: string, remedy: string): Finding => ({ verdict: "warning", says, remedy });
export const fault = (says: string, remedy: string): Finding => ({ verdict: "fault", says, remedy });

/** The messages of an error and its causes, without stacks. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message === "" && "code" in error ? String(error.code) : error.message;
  return error.cause instanceof Error ? `${own} (${reasonOf(error.cause)})` : own;
}

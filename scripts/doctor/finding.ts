/** What one look of the doctor found. */
export type Verdict = "ok" | "warning" | "fault";

export interface Finding {
  readonly verdict: Verdict;
  readonly says: string;
  /** What to do about it; null when nothing. */
  readonly remedy: string | null;
}

export const ok = (says: string): Finding => ({ verdict: "ok", says, remedy: null });
export const warning = (says: string, remedy: string): Finding => ({ verdict: "warning", says, remedy });
export const fault = (says: string, remedy: string): Finding => ({ verdict: "fault", says, remedy });

/** The message of a failure and of what caused it, without its stack. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message === "" && "code" in error ? String(error.code) : error.message;
  return error.cause instanceof Error ? `${own} (${reasonOf(error.cause)})` : own;
}

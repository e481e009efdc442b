import type { CSSProperties } from "react";

/** The number of characters in an amount; the style shrinks the amount until it fits its line. */
export const characters = (amount: string): CSSProperties & Readonly<Record<"--characters", number>> => ({ "--characters": amount.length });

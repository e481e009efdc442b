import type { CSSProperties } from "react";

/** How many characters an amount has: the style uses it to shrink the amount until it fits its line. */
export const characters = (amount: string): CSSProperties & Readonly<Record<"--characters", number>> => ({ "--characters": amount.length });

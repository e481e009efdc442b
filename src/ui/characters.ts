import type { CSSProperties } from "react";

/** How many characters an amount has: the style that shrinks it to its line rather than break it counts in them. */
export const characters = (amount: string): CSSProperties & Readonly<Record<"--characters", number>> => ({ "--characters": amount.length });

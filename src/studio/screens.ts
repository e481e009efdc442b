/** The screens in the navigation rail. Routes, search parameters and modules of all screens: `shell/router.tsx`. */
import { Activity, CircleDollarSign, Layers, ListFilter, type LucideIcon, SlidersHorizontal, Sun, Users } from "lucide-react";
import type { Role } from "./contract/call.ts";

export interface Place {
  readonly path: string;
  readonly title: string;
  readonly icon: LucideIcon;
  /** The key that opens the screen after G. Each screen has its own. */
  readonly letter: string;
  readonly role: Role;
  /** Whether a phone's bottom bar shows it. The others are under More. */
  readonly onPhone: boolean;
}

/** In the order of the navigation rail. */
export const places: readonly Place[] = [
  { path: "/", title: "Today", icon: Sun, letter: "t", role: "viewer", onPhone: true },
  { path: "/funnel", title: "Funnel", icon: ListFilter, letter: "f", role: "viewer", onPhone: true },
  { path: "/versions", title: "Versions", icon: Layers, letter: "v", role: "viewer", onPhone: false },
  { path: "/people", title: "People", icon: Users, letter: "p", role: "support", onPhone: true },
  { path: "/money", title: "Money", icon: CircleDollarSign, letter: "m", role: "viewer", onPhone: false },
  { path: "/operations", title: "Operations", icon: Activity, letter: "o", role: "viewer", onPhone: true },
  { path: "/settings", title: "Settings", icon: SlidersHorizontal, letter: "s", role: "viewer", onPhone: false },
];

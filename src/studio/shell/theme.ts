/** The theme: light, dark, or the system's. Stored in this browser. */
import { useSyncExternalStore } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const key = "parlando-studio-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const heard = new Set<() => void>();

function chosen(): Theme {
  return themes.find((theme) => theme === localStorage.getItem(key)) ?? "system";
}
function wear(): void {
  const theme = chosen();
  document.documentElement.dataset["theme"] = theme === "system" ? (system.matches ? "dark" : "light") : theme;
  for (const tell of heard) tell();
}

/** Applies the theme now, and again when the system's theme changes. */
export function startTheme(): void {
  system.addEventListener("change", wear);
  wear();
}

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore((tell) => {
    heard.add(tell);
    return () => heard.delete(tell);
  }, chosen);
  return [
    theme,
    (next) => {
      localStorage.setItem(key, next);
      wear();
    },
  ];
}

import type { Theme } from "#core/questionnaire/definition.ts";
import type { KeyValueStore } from "./device/storage.ts";

/** Gives the page of a version the version's theme, and stores this theme for pages without a version. Another version may have stored its own before. */
export function wearTheme(theme: Theme, store: KeyValueStore): void {
  document.documentElement.dataset["theme"] = theme;
  store.set("theme", theme);
}

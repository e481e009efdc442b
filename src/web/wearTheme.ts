import type { Theme } from "#core/questionnaire/definition.ts";
import type { KeyValueStore } from "./device/storage.ts";

/** Gives the page of a version its theme, and keeps it for the pages without one. They may have had another funnel's. */
export function wearTheme(theme: Theme, store: KeyValueStore): void {
  document.documentElement.dataset["theme"] = theme;
  store.set("theme", theme);
}

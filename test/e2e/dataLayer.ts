/** Records the data layer over all pages of a visit. */
import type { BrowserContext } from "@playwright/test";

export interface Entry {
  readonly event?: string;
  readonly [field: string]: unknown;
}

/** @returns a list that grows with every push on any page of the context */
export async function recordDataLayer(context: BrowserContext): Promise<readonly Entry[]> {
  const layer: Entry[] = [];
  await context.exposeBinding("tellTest", (_source, entry: Entry) => void layer.push(entry));
  await context.addInitScript(() => {
    const list: unknown[] = [];
    const tell: unknown = Reflect.get(window, "tellTest");
    list.push = (...entries) => {
      for (const entry of entries) if (typeof tell === "function") tell({ ...Object(entry) });
      return Array.prototype.push.apply(list, entries);
    };
    Reflect.set(window, "dataLayer", list);
  });
  return layer;
}

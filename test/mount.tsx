/** Mounts a part of the site in the browser. */
import { SiteProvider, type WebSite } from "#web/siteContext.tsx";
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { onTestFinished } from "vitest";
import { stage } from "./stage.ts";

/** @returns the containing element, which exists until the test ends. The clock stands still. */
export async function mount(site: WebSite, part: ReactNode): Promise<HTMLElement> {
  const element = stage(site.locale);
  const root = createRoot(element);
  await act(async () => root.render(<SiteProvider value={site}>{part}</SiteProvider>));
  onTestFinished(() => act(() => root.unmount()));
  return element;
}

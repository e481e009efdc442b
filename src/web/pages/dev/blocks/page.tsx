/** The gallery of blocks inside the running site. */
import { Gallery } from "#blocks/gallery.tsx";
import { pictures } from "#content/media/manifest.ts";
import { uiTexts } from "#content/texts/ui.ts";
import { useEffect, useState } from "react";
import type { Page } from "../../../page.ts";
import { Frame } from "../Frame.tsx";

function View() {
  // The gallery depends on the query, which the server does not pass to pages.
  const [query, setQuery] = useState<URLSearchParams | null>(null);
  useEffect(() => setQuery(new URLSearchParams(location.search)), []);
  const gallery = query && <Gallery query={query} texts={uiTexts} picture={(name) => pictures[name] ?? null} />;
  if (query?.has("frame")) return gallery;
  return <Frame route="dev/blocks">{gallery}</Frame>;
}

export const page: Page = { title: () => "Blocks", View };

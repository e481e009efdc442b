/** The frame of every developer page: plain, dense, in English. No file that visitors load contains it (`test/e2e/developers.spec.ts` checks). */
import type { ReactNode } from "react";
import { useSite } from "../../siteContext.tsx";
import { buildPath, type PageRoute } from "#core/routes.ts";
import styles from "./dev.module.css";

/** A marker that identifies developer pages in built files. */
const marker = "parlando-developer-page";

export const tools = [
  { route: "dev/blocks", name: "Blocks", what: "Every block with every example, in each theme, locale and width" },
  { route: "dev/generate", name: "Generate", what: "A visitor in any state: open it, or copy its link" },
  { route: "dev/seo", name: "SEO", what: "Every address with its metadata and what is wrong with it" },
  { route: "dev/api", name: "API", what: "Every call of the contract: read it, fill it, send it" },
  { route: "dev/reset", name: "Reset", what: "Forget everything this browser knows" },
] as const satisfies readonly { readonly route: PageRoute; readonly name: string; readonly what: string }[];

interface FrameProps {
  readonly route: PageRoute;
  /** Omitted if the tool has its own heading. */
  readonly title?: string;
  readonly children: ReactNode;
}

export function Frame({ route, title, children }: FrameProps) {
  const { locale } = useSite();
  return (
    <div className={styles["frame"]} lang="en" data-marker={marker}>
      <header>
        <nav aria-label="Developer pages">
          <a href={buildPath("dev/index", locale)}>/dev</a>
          {tools.map((tool) => (
            <a key={tool.route} href={buildPath(tool.route, locale)} aria-current={tool.route === route ? "page" : undefined}>
              {tool.name}
            </a>
          ))}
          <a href="/dev/mail">Mail</a>
        </nav>
      </header>
      <main id="main" tabIndex={-1} data-route={route}>
        {title !== undefined && <h1 tabIndex={-1}>{title}</h1>}
        {children}
      </main>
    </div>
  );
}

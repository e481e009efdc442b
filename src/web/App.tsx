/** Shows the page of the current address and changes to the next one: fade out, swap, fade in (spec 001 §4). */
import { type AnyParams, matchPath, type PageRoute } from "#core/routes.ts";
import "#ui/tokens.css";
import "#ui/base.css";
import { useReducedMotion } from "#ui/motion.ts";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import styles from "./App.module.css";
import { laterStyles } from "./laterStyles.ts";
import { reloadPage, usePathname } from "./navigation.ts";
import { reloadForNewBuild } from "./newBuild.ts";
import { documentTitle, fade, type Page } from "./page.ts";
import { loadPageModule } from "./pages.ts";
import { PlaceContext } from "./place.ts";
import { painted, markReadable, markUnreadable } from "./readable.ts";
import { SkipLink } from "./shell/SkipLink.tsx";
import { Failed } from "./shell/Failed.tsx";
import { SiteProvider, useSite, type WebSite } from "./siteContext.tsx";
import { wearTheme } from "./wearTheme.ts";

/** Delay before a page that failed to load is requested again, ms. */
const askAgainAfter = 5000;

/** A loaded page and its address. */
interface ShownPage {
  readonly path: string;
  readonly route: PageRoute;
  readonly params: AnyParams;
  readonly page: Page;
}

/** Loads a page and everything that it needs to be shown. */
export async function loadPage(site: WebSite, route: PageRoute, params: AnyParams): Promise<Page> {
  const { page } = await loadPageModule(route);
  await (page.prepare === undefined ? site.moreTexts() : page.prepare(site, params));
  return page;
}

interface AppProps {
  readonly site: WebSite;
  readonly first: ShownPage;
  readonly onHydrated?: () => void;
}

export function App({ site, first, onHydrated }: AppProps) {
  const hydrated = useEffectEvent(() => onHydrated?.());
  useEffect(() => {
    // If this fails, the next change of pages loads the styles again.
    laterStyles().catch(() => undefined);
    hydrated();
  }, []);
  return (
    <SiteProvider value={site}>
      <Failed>
        <Pages first={first} />
      </Failed>
    </SiteProvider>
  );
}

function Pages({ first }: { readonly first: ShownPage }) {
  const site = useSite();
  const root = useRef<HTMLDivElement>(null);
  const path = usePathname(first.path);
  const { shown, phase, onAnimationEnd } = usePageOf(path, first, root);
  useReadable(root, path, shown);
  useArrival(root, shown);
  const title = documentTitle(shown.page, shown.route, site, shown.params);
  useEffect(() => {
    document.title = title;
  }, [title]);

  const { View } = shown.page;
  return (
    <div ref={root} className={styles["app"]} data-phase={phase} onAnimationEnd={onAnimationEnd}>
      <SkipLink />
      <PlaceContext value={shown}>
        <View params={shown.params} />
      </PlaceContext>
    </div>
  );
}

type Root = RefObject<HTMLDivElement | null>;

/** The page on screen. It stays until the page of the new address has loaded. */
function usePageOf(path: string, first: ShownPage, root: Root) {
  const site = useSite();
  const [shown, setShown] = useState(first);
  const [phase, setPhase] = useState<"still" | "leaving" | "entering">("still");
  /** How often a change of pages was retried without a connection. */
  const [tries, setTries] = useState(0);
  const reduced = useReducedMotion();

  const change = useEffectEvent(async (signal: AbortSignal) => {
    const { definition } = site.session.compiled;
    const match = matchPath(path);
    const isSameQuestionnaire =
      match.kind === "page" && match.locale === site.locale && (match.params.version ?? definition.id) === definition.id;
    if (!isSameQuestionnaire) return reloadPage();
    if (root.current !== null) markUnreadable(root.current);
    // No fade between the dark theme's questions (spec 001 §4).
    const half = reduced || definition.theme === "Kosmo" ? 0 : fade;
    if (half > 0) setPhase("leaving");
    try {
      const [page] = await Promise.all([
        loadPage(site, match.route, match.params),
        laterStyles(),
        new Promise((resolve) => setTimeout(resolve, half)),
      ]);
      if (signal.aborted) return;
      // The page before may belong to no version and have the theme of another funnel (decision 098).
      if (match.params.version !== undefined) wearTheme(definition.theme, site.services.store);
      setShown({ path, route: match.route, params: match.params, page });
      setPhase(half > 0 ? "entering" : "still");
    } catch (error) {
      if (signal.aborted) return;
      setPhase("still");
      if (root.current !== null) markReadable(root.current);
      const outcome = await reloadForNewBuild();
      if (signal.aborted || outcome === "reloading") return;
      if (outcome === "reloadedBefore")
        return setShown(() => {
          throw error;
        });
      // Without a connection the current page stays, and the change is retried.
      const again = () => setTries((before) => before + 1);
      const timer = setTimeout(again, askAgainAfter);
      signal.addEventListener("abort", () => clearTimeout(timer));
      addEventListener("online", again, { once: true, signal });
    }
  });
  const follow = useEffectEvent((signal: AbortSignal) => {
    if (path !== shown.path) return void change(signal);
    setPhase((now) => (now === "leaving" ? "still" : now));
  });
  useEffect(() => {
    const control = new AbortController();
    follow(control.signal);
    return () => control.abort();
  }, [path, tries]);

  return { shown, phase, onAnimationEnd: () => setPhase((now) => (now === "entering" ? "still" : now)) };
}

/** Marks the page as readable once it is painted, unless the visitor is already leaving for another page. */
function useReadable(root: Root, path: string, shown: ShownPage): void {
  useEffect(() => {
    const app = root.current;
    if (app === null || path !== shown.path) return undefined;
    let here = true;
    void painted(app).then(() => {
      if (here && app.dataset["readable"] === "") markReadable(app);
    });
    return () => {
      here = false;
    };
  }, [root, path, shown]);
}

/** After a change of pages, scrolls to the top and focuses the heading. */
function useArrival(root: Root, shown: ShownPage): void {
  const isFirst = useRef(true);
  const arrived = useEffectEvent(() => {
    scrollTo(0, 0);
    const heading = root.current?.querySelector<HTMLElement>("main h1[tabindex]") ?? root.current?.querySelector("main");
    heading?.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (!isFirst.current) arrived();
    isFirst.current = false;
  }, [shown]);
}

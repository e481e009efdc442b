/** The questions that this page's options lead to, rendered ahead for the first tap (`document.ts`). */
export interface NextPages {
  readonly pages: readonly NextPage[];
  /** By an option's link: the index of its page in `pages`, and the addresses of the links on that page. */
  readonly links: Readonly<Record<string, { readonly page: number; readonly hrefs: readonly string[] }>>;
}
export interface NextPage {
  readonly title: string;
  /** React's HTML. Its links have no addresses, because those contain the answers so far. */
  readonly html: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Handles a tap on an option before hydration: it shows the next question, which came with the page. React then hydrates that question
 * as if the server had sent it (decision 160). The function is inlined in each page (`document.ts`), so it must not use outer names.
 * `dataset.change` on the root element is `leaving` while the first question fades, and `taken` once React handles taps.
 */
export function firstAnswer(
  nextPagesId: string,
  pageDataId: string,
  appRootId: string,
  fade: number,
  completeLink: (link: HTMLAnchorElement | null) => string,
): void {
  const { dataset } = document.documentElement;
  let isChanged = false;

  addEventListener("click", (event) => {
    const { target, defaultPrevented, button, ctrlKey, metaKey, shiftKey, altKey } = event;
    const link = target instanceof Element ? target.closest("a") : null;
    const address = (link?.dataset["optionId"] !== undefined && link.getAttribute("href")) || "";
    if (defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
    const answers = completeLink(link);
    if (dataset["change"] !== undefined) return;
    const { pages, links }: NextPages = JSON.parse(document.getElementById(nextPagesId)?.textContent ?? '{"pages":[],"links":{}}');
    const way = links[address];
    const next = way && pages[way.page];
    const app = document.getElementById(appRootId);
    if (way === undefined || next === undefined || app === null) return;
    event.preventDefault();
    const isStill = dataset["theme"] === "Kosmo" || matchMedia("(prefers-reduced-motion: reduce)").matches;
    dataset["change"] = "leaving";
    mark(app, "", isStill ? "still" : "leaving");
    // Parsed while the previous question fades out.
    const made = document.createElement("template");
    let at = 0;
    made.innerHTML = next.html.replaceAll(' href=""', () => ` href="${way.hrefs[at++]}"`);
    if (isStill) change(app, next, made.content, answers, isStill);
    else setTimeout(() => change(app, next, made.content, answers, isStill), fade);
  });
  // Before hydration, Back loads the previous page from the server.
  addEventListener("popstate", () => {
    if (isChanged && dataset["change"] !== "taken") location.reload();
  });

  function change(app: HTMLElement, { title, path, params }: NextPage, content: Node, answers: string, isStill: boolean): void {
    const query = new URLSearchParams({ a: answers });
    // Keeps the campaign parameters in the address until React has read them.
    for (const [name, value] of new URLSearchParams(location.search)) if (name !== "a") query.append(name, value);
    history.pushState({ from: location.pathname }, "", `${path}?${query}`);
    isChanged = true;
    const data = document.getElementById(pageDataId);
    if (data !== null)
      data.textContent = JSON.stringify({ ...JSON.parse(data.textContent), route: "questionnaire/question", params, path, answers });
    document.getElementById(nextPagesId)?.remove();
    app.replaceChildren(content);
    document.title = title;
    scrollTo(0, 0);
    app.querySelector<HTMLElement>("main h1[tabindex], main")?.focus({ preventScroll: true });
    mark(app, "", isStill ? "still" : "entering");
    delete dataset["change"];
    dispatchEvent(new Event("changed"));
    requestAnimationFrame(() =>
      requestAnimationFrame(async () => {
        await Promise.allSettled((app.querySelector("main")?.getAnimations() ?? []).map(({ finished }) => finished));
        mark(app, String(new Event("readable").timeStamp), "still");
      }),
    );
  }

  /** Sets the same attributes as `App`. */
  function mark(app: HTMLElement, readable: string, phase: string): void {
    const page = app.querySelector<HTMLElement>("[data-phase]");
    if (page === null || (readable !== "" && page.dataset["readable"] !== "")) return;
    page.dataset["readable"] = readable;
    page.dataset["phase"] = phase;
  }
}

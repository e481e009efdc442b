/**
 * Loads the page's full style sheets and modules after the first paint, so that they do not compete with it. For a new visitor the full
 * sheets wait until hydration (`laterStyles.ts`): their first page shows only what the server rendered. The function is inlined at the end
 * of each page (`document.ts`), so it must not use outer names, nor syntax that the browser of iOS 12 cannot read (no `?.`, no `??`).
 */
export function startAfterPaint(modulesId: string, nextPagesId: string, oldBrowserPath: string): void {
  const hasState = () => {
    try {
      return localStorage.getItem("questionnaireState") !== null;
    } catch {
      return false;
    }
  };
  const fetchSheet = (waiting: HTMLLinkElement) => {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = waiting.href;
    sheet.dataset["later"] = "";
    sheet.onerror = () => sheet.replaceWith(waiting);
    // At the same position, because later sheets override earlier ones.
    waiting.replaceWith(sheet);
  };
  let hasStarted = false;
  const start = () => {
    if (hasStarted) return;
    hasStarted = true;
    const isReturning = hasState();
    const isNew = !isReturning && document.getElementById(nextPagesId) !== null;
    if (!isNew) document.querySelectorAll<HTMLLinkElement>("link[disabled]").forEach(fetchSheet);
    // The youngest function that the modules need: browsers of some years can read them, but not run them.
    if (!("toSpliced" in [])) return leaveToLinks();
    const modules = document.getElementById(modulesId);
    if (modules instanceof HTMLTemplateElement)
      addEach(modules, [...modules.content.querySelectorAll(isReturning ? "*" : ":not([data-returning])")]);
  };
  // One task per script, so that a tap need not wait for all of them.
  const addEach = (modules: HTMLTemplateElement, [first, ...others]: readonly Element[]) => {
    if (first === undefined) return;
    if (first instanceof HTMLScriptElement) first.onerror = afterLoss;
    modules.before(first);
    setTimeout(addEach, 0, modules, others);
  };
  // Browsers do not fetch a module again that did not arrive, as when a phone changes networks. Reloads the page once, when the server answers, as
  // `newBuild.ts` does for later modules.
  const isReloaded = Object(history.state).anew === true;
  let isLeaving = false;
  const afterLoss = () => {
    if (isReloaded) return;
    // A reload would cancel the navigation of a link just tapped.
    addEventListener("beforeunload", () => {
      isLeaving = true;
    });
    reloadOnceAnswered();
  };
  const reloadOnceAnswered = () => {
    const again = () => setTimeout(reloadOnceAnswered, 2_000);
    void fetch(location.href, { method: "HEAD", cache: "no-store" }).then(({ status }) => {
      if (isLeaving) return;
      if (status >= 500) return again();
      history.replaceState(Object.assign({}, history.state, { anew: true }), "");
      location.reload();
    }, again);
  };
  // A browser that cannot read or run our modules shows what it would show without scripts, and what `oldBrowser.ts` adds.
  const leaveToLinks = () => {
    // From now on a tap follows its link (`firstAnswer.ts`).
    document.documentElement.dataset["change"] = "taken";
    for (const element of document.querySelectorAll("noscript")) element.outerHTML = element.textContent;
    document.body.append(Object.assign(document.createElement("script"), { src: oldBrowserPath }));
  };
  // In-app browsers add scripts of their own, which may fail, too.
  addEventListener("error", ({ message, filename }) => {
    if (document.documentElement.dataset["ready"] === undefined && message.includes("SyntaxError") && filename.includes("/assets/"))
      leaveToLinks();
  });
  addEventListener("DOMContentLoaded", () => {
    requestAnimationFrame(() => setTimeout(start));
    // A hidden page gets no animation frames, and a visible one on a busy machine may wait long for its first.
    setTimeout(start, document.visibilityState === "hidden" ? 0 : 2_000);
  });
}

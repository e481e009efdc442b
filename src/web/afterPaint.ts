/**
 * Fetches the whole style sheets and starts what brings the page to life once the page has been painted, so that nothing competes with what is
 * read first. To somebody new, a first page shows nothing but what was served: its sheets wait until it is alive (`laterStyles.ts`). Its source
 * stands at the end of each page (`document.ts`): it names nothing from outside.
 */
export function startAfterPaint(modulesId: string, nextPagesId: string): void {
  const isNew = () => {
    try {
      return document.getElementById(nextPagesId) !== null && localStorage.getItem("questionnaireState") === null;
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
    // In its own place: what comes later goes over it.
    waiting.replaceWith(sheet);
  };
  const start = () => {
    if (!isNew()) document.querySelectorAll<HTMLLinkElement>("link[disabled]").forEach(fetchSheet);
    const modules = document.getElementById(modulesId);
    if (modules instanceof HTMLTemplateElement) addEach(modules, [...modules.content.children]);
  };
  // A task each: a tap in between does not wait for all of them.
  const addEach = (modules: HTMLTemplateElement, [first, ...others]: readonly Element[]) => {
    if (first === undefined) return;
    modules.before(first);
    setTimeout(addEach, 0, modules, others);
  };
  addEventListener("DOMContentLoaded", () => {
    // Nobody looks at it, and no frame comes.
    if (document.visibilityState === "hidden") start();
    else requestAnimationFrame(() => setTimeout(start));
  });
}

/**
 * Fetches the whole style sheets and starts what brings the page to life once the page has been painted, so that nothing competes with what is read first. Its source stands in
 * the head of each page (`document.ts`): it names nothing from outside.
 */
export function startAfterPaint(modulesId: string): void {
  const start = () => {
    for (const waiting of document.querySelectorAll<HTMLLinkElement>("link[disabled]")) {
      const sheet = document.createElement("link");
      sheet.rel = "stylesheet";
      sheet.href = waiting.href;
      sheet.dataset["later"] = "";
      sheet.onerror = () => sheet.replaceWith(waiting);
      // In its own place: what comes later goes over it.
      waiting.replaceWith(sheet);
    }
    const modules = document.getElementById(modulesId);
    if (modules instanceof HTMLTemplateElement) modules.replaceWith(modules.content);
  };
  addEventListener("DOMContentLoaded", () => {
    // Nobody looks at it, and no frame comes.
    if (document.visibilityState === "hidden") start();
    else requestAnimationFrame(() => setTimeout(start));
  });
}

/** The whole style sheets of the page: the document brings of each what it paints (`criticalStyle.ts`), and names it without fetching it. */

let complete: Promise<unknown> | null = null;

/** Fetches them. What did not come is asked for again. */
export function laterStyles(): Promise<unknown> {
  complete ??= Promise.all([...document.querySelectorAll<HTMLLinkElement>("link[disabled]")].map(arrived));
  complete.catch(() => (complete = null));
  return complete;
}

function arrived(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const wanted = document.createElement("link");
    wanted.rel = "stylesheet";
    wanted.href = link.href;
    wanted.addEventListener("load", () => {
      link.remove();
      resolve();
    });
    wanted.addEventListener("error", () => {
      wanted.remove();
      reject(new Error(`${link.href} did not come`));
    });
    // In its own place: what comes later goes over it.
    link.before(wanted);
  });
}

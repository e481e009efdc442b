/** Loads the page's full style sheets. The document inlines only their critical part (`criticalStyle.ts`); `afterPaint.ts` may have begun to load them. */

/** Resolves when all sheets are loaded. Each call fetches the missing and failed ones once. */
export async function laterStyles(): Promise<void> {
  const failed = [...document.querySelectorAll<HTMLLinkElement>("link[disabled]")];
  for (const link of failed) link.replaceWith(fetched(link));
  await pendingStyles();
}

/** Resolves when the sheets that are already being fetched have loaded. */
export async function pendingStyles(): Promise<void> {
  await Promise.all([...document.querySelectorAll<HTMLLinkElement>("link[data-later]")].map(arrived));
}

function fetched(failed: HTMLLinkElement): HTMLLinkElement {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = failed.href;
  link.dataset["later"] = "";
  link.addEventListener("error", () => link.replaceWith(failed));
  return link;
}

function arrived(link: HTMLLinkElement): Promise<void> {
  if (link.sheet !== null) return Promise.resolve();
  return new Promise((resolve, reject) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => reject(new Error(`${link.href} did not load`)));
  });
}

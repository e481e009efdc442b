/** The whole style sheets of the page: the document brings of each what it paints (`criticalStyle.ts`), and may fetch them after that (`afterPaint.ts`). */

/** Resolves when all are there. Each that was not fetched, or did not come, is fetched, once a call. */
export async function laterStyles(): Promise<void> {
  const failed = [...document.querySelectorAll<HTMLLinkElement>("link[disabled]")];
  for (const link of failed) link.replaceWith(fetched(link));
  await stylesOnTheirWay();
}

/** Resolves when those have come that are fetched already. */
export async function stylesOnTheirWay(): Promise<void> {
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
    link.addEventListener("error", () => reject(new Error(`${link.href} did not come`)));
  });
}

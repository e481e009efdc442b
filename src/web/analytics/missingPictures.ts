/**
 * A picture that does not come, as without a line, leaves the panel behind it instead of a broken frame; its words are still said.
 * Heard on the document: React asks anew for every picture that has a handler of its own, after the page has painted it.
 */
export function hideMissingPictures(): void {
  for (const type of ["error", "load"])
    document.addEventListener(
      type,
      ({ target }) => {
        if (target instanceof HTMLImageElement) target.style.opacity = type === "error" ? "0" : "";
      },
      true,
    );
}

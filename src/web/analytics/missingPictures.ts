/**
 * Hides pictures that fail to load, for example offline: the panel behind shows instead of a broken image, and the alternative text stays.
 * It listens on the document, because React would reload every picture that has its own handler.
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

/** Timeout for a provider's script, ms (spec 001 §9: the loader hides after 15 s at most). */
export const scriptLimit = 15_000;

/**
 * Adds a provider's script unless its global exists. Rejects if it does not load in time. The failed tag is removed, so that the next call
 * tries again.
 */
export function loadScript(src: string, isThere: () => boolean): Promise<void> {
  if (isThere()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const element = document.createElement("script");
    const end = (settle: () => void) => {
      clearTimeout(timer);
      if (!isThere()) element.remove();
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new Error(`${src} did not load in time`))), scriptLimit);
    element.src = src;
    element.async = true;
    element.addEventListener("load", () => end(resolve));
    element.addEventListener("error", () => end(() => reject(new Error(`${src} did not load`))));
    document.head.append(element);
  });
}

/** How long a provider's script may take before the ways on are shown, ms (spec 001 §9: the loader hides after 15 s at most). */
export const scriptLimit = 15_000;

/**
 * Adds a provider's script unless what it sets is there. Rejects when it does not come in time; it can be asked for again:
 * a tag that brought nothing is taken out.
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
    const timer = setTimeout(() => end(() => reject(new Error(`${src} did not come in time`))), scriptLimit);
    element.src = src;
    element.async = true;
    element.addEventListener("load", () => end(resolve));
    element.addEventListener("error", () => end(() => reject(new Error(`${src} did not load`))));
    document.head.append(element);
  });
}

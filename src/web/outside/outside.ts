/** The interface of third-party services. They load only if configured, allowed and needed, and nothing waits for them. */
import type { Grants } from "#core/consent.ts";

export interface OutsideService {
  /** Sets the current grants: the service starts, continues or ends. */
  readonly consent: (grants: Grants) => void;
}

/** The service when none is configured. */
export const noService: OutsideService = { consent: () => {} };

/** Third-party scripts wait this long after a page's start, ms, so that they do not slow down its first interactions. */
export const calmAfter = 3000;
/** The longest wait for an idle page, ms. */
const idleTimeout = 2000;

/** Resolves when third-party services may start: after `calmAfter`, when the page is idle. */
export async function calm(): Promise<void> {
  const early = calmAfter - performance.now();
  if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
  // Not every browser reports idle time.
  if ("requestIdleCallback" in globalThis) await new Promise((resolve) => requestIdleCallback(resolve, { timeout: idleTimeout }));
}

/** Timeout of a third-party script, ms. */
export const scriptLimit = 8000;

/** Adds a script to the page. Resolves when it has run. Rejects if it fails or takes longer than `scriptLimit`. */
export function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.async = true;
    script.src = src;
    const end = (error?: Error) => {
      clearTimeout(timer);
      if (error === undefined) resolve();
      else {
        script.remove();
        reject(error);
      }
    };
    const timer = setTimeout(() => end(new Error(`${src} did not load in time`)), scriptLimit);
    script.addEventListener("load", () => end());
    script.addEventListener("error", () => end(new Error(`${src} did not load`)));
    document.head.append(script);
  });
}

/** Services of others: each behind this, loaded only when they are configured, allowed and needed, and never waited for. */
import type { Grants } from "#core/consent.ts";

export interface OutsideService {
  /** What is allowed from now on: the service starts, goes on or ends. */
  readonly consent: (grants: Grants) => void;
}

/** For what is not configured. */
export const noService: OutsideService = { consent: () => {} };

/** From a page's start, ms: until then it is the visitor's alone, so that nothing of others makes a first step slower. */
export const calmAfter = 3000;
/** How long a page that is never idle is waited for, ms. */
const longestRush = 2000;

/** Resolves when services of others may start: the page has been there for a while and has nothing better to do. */
export async function calm(): Promise<void> {
  const early = calmAfter - performance.now();
  if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
  // Not every browser says when it is idle.
  if ("requestIdleCallback" in globalThis) await new Promise((resolve) => requestIdleCallback(resolve, { timeout: longestRush }));
}

/** After this a script that has not come does not count any more, ms. */
export const scriptLimit = 8000;

/** Adds a script to the page. Resolves when it has run; rejects when it failed or took longer than the limit. */
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
    const timer = setTimeout(() => end(new Error(`${src} did not come in time`)), scriptLimit);
    script.addEventListener("load", () => end());
    script.addEventListener("error", () => end(new Error(`${src} could not be loaded`)));
    document.head.append(script);
  });
}

import { noService, type OutsideService } from "./outside.ts";

/** Google Tag Manager. It loads with the first consent to statistics or advertising, and obeys Consent Mode on the data layer. */
export function tagManager(id: string | null, load: (src: string) => Promise<void>, push: (entry: object) => void): OutsideService {
  if (id === null) return noService;
  let loaded = false;
  let started = false;
  return {
    consent({ analytics, marketing }) {
      if (loaded || !(analytics || marketing)) return;
      loaded = true;
      if (!started) push({ "gtm.start": Date.now(), event: "gtm.js" });
      started = true;
      load(`https://www.googletagmanager.com/gtm.js?id=${encodeURIComponent(id)}`).catch(() => {
        // Blocked or slow: the next consent or page tries again.
        loaded = false;
      });
    },
  };
}

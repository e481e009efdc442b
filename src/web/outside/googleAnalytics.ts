/**
 * Google Analytics 4, only with consent to statistics. It has its own layer, so that a tag manager's entries do not reach it twice, and so
 * that it sees addresses without secrets or answers.
 */
import type { Grants } from "#core/consent.ts";
import { sourceParameter } from "#core/links.ts";
import { withQuery } from "#core/withQuery.ts";
import { commandsTo, createDataLayer, type DataLayer, withoutEmails } from "./dataLayer.ts";
import { noService, type OutsideService } from "./outside.ts";

/** `window.analyticsLayer` */
export const analyticsLayer = "analyticsLayer";

export interface AnalyticsService extends OutsideService {
  /** Passes an entry of the data layer on to Google Analytics. */
  readonly push: DataLayer["push"];
  /** Reports a page view. */
  readonly page: (path: string) => void;
}

export interface GoogleAnalyticsParts {
  readonly load: (src: string) => Promise<void>;
  readonly window: object;
  /** The current grants, and whether the visitor has settled the question of consent. */
  readonly consent: { readonly grants: () => Grants; readonly settled: () => boolean };
  /** The query that the first page was opened with. */
  readonly arrival: URLSearchParams;
  readonly origin: string;
  readonly referrer: string;
  /** Deletes the cookies with this prefix. */
  readonly deleteCookies: (prefix: string) => void;
}

function reportedAddress(address: string): string {
  try {
    const { origin, pathname, searchParams } = new URL(address);
    return withQuery(origin + pathname, new URLSearchParams([...searchParams].filter(([name]) => sourceParameter.test(name))));
  } catch {
    // A first page has no referrer.
    return "";
  }
}

/** Removes queries and e-mail addresses from a text: error messages can contain them. */
function redacted(value: unknown): unknown {
  return typeof value === "string" ? withoutEmails(value.replaceAll(/\?[^\s:]*/g, "")) : value;
}

export function googleAnalytics(id: string | null, parts: GoogleAnalyticsParts): AnalyticsService {
  if (id === null) return { ...noService, push: () => {}, page: () => {} };
  const { load, window, consent, arrival, origin, deleteCookies } = parts;
  const list: unknown[] = [];
  Reflect.set(window, analyticsLayer, list);
  const command = commandsTo(list);
  const mode = createDataLayer(list);
  /** Commands from before the choice or before the page was idle. */
  const pending: (readonly unknown[])[] = [];
  /** The user and the place that were set last. After a no they are not sent, but a later yes needs them. */
  const known: Record<string, unknown> = {};
  let dropped = false;
  let running = false;
  let configured = false;
  let loaded = false;
  let referrer = reportedAddress(parts.referrer);
  let isFirst = true;

  function send(...words: readonly unknown[]) {
    if (running) command(...words);
    else if (consent.grants().analytics || !consent.settled()) pending.push(words);
    else dropped = true;
  }

  function set(values: Readonly<Record<string, unknown>>) {
    Object.assign(known, values);
    send("set", values);
  }

  function start() {
    if (!configured) {
      command("js", new Date());
      // `page` reports page views, advertising is off, and cookies are limited to this host, so that we can delete them.
      const quiet = { send_page_view: false, allow_google_signals: false, allow_ad_personalization_signals: false };
      command("config", id, { ...quiet, cookie_domain: "none", page_location: origin, page_referrer: "" });
    }
    configured = true;
    if (dropped) command("set", { ...known });
    dropped = false;
    for (const words of pending.splice(0)) command(...words);
    if (loaded) return;
    loaded = true;
    load(`https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id ?? "")}&l=${analyticsLayer}`).catch(() => {
      // Blocked or slow: the next consent or page tries again.
      loaded = false;
    });
  }

  return {
    consent(grants) {
      if (grants.analytics || running) mode.consent(grants);
      // Google's own switch: its script sends nothing while this is set.
      Reflect.set(window, `ga-disable-${id}`, !grants.analytics);
      const ends = running && !grants.analytics;
      running = grants.analytics;
      if (running) start();
      else if (consent.settled()) dropped = pending.splice(0).length > 0 || dropped;
      if (ends) deleteCookies("_ga");
    },
    push(event, entry) {
      if ("user_id" in entry && event === "user_id") return set({ user_id: entry.user_id });
      // No e-mail, not even hashed.
      const fields = Object.entries("ecommerce" in entry ? entry.ecommerce : entry).filter(([name]) => name !== "email_sha256");
      send("event", event.replaceAll("-", "_"), Object.fromEntries(fields.map(([name, value]) => [name, redacted(value)])));
    },
    page(path) {
      const here = reportedAddress(`${origin}${path}${isFirst ? `?${arrival}` : ""}`);
      isFirst = false;
      const place = { page_location: here, page_referrer: referrer };
      referrer = here;
      // Sets the place for events that Google's script creates itself.
      set(place);
      send("event", "page_view", place);
    },
  };
}

/** A stand-in for Google Analytics: its script and its collection endpoint, in the real protocol. */
import type { BrowserContext } from "@playwright/test";

export interface Hit {
  /** The event's name. */
  readonly en: string;
  /** URL and referrer, as given to the script. */
  readonly dl: string;
  readonly dr: string;
  /** Consent Mode: `G1`, then advertising and statistics as 1 or 0. */
  readonly gcs: string;
  readonly tid: string;
  readonly [parameter: string]: string;
}

/** The part of gtag.js that we use. Like the real one, it runs in the page and takes its id and layer from its own URL. */
function gtag() {
  const script = document.currentScript;
  const query = new URL(script instanceof HTMLScriptElement ? script.src : location.href).searchParams;
  const id = query.get("id") ?? "";
  const fields: Record<string, unknown> = {};
  const modes: Record<string, unknown> = {};
  let configured = false;
  const bit = (mode: string) => (modes[mode] === "denied" ? "0" : "1");
  const take = (command: unknown) => {
    // Ignores plain objects, which belong to a tag manager.
    if (Object.prototype.toString.call(command) !== "[object Arguments]") return;
    const [name, word, more] = Array.from<unknown>(Object(command));
    if (name === "set") Object.assign(fields, word);
    if (name === "consent") Object.assign(modes, more);
    if (name === "config" && word === id) {
      configured = true;
      Object.assign(fields, more);
      if (bit("analytics_storage") === "1") document.cookie = "_ga=GA1.1.1.1; path=/";
      if (fields["send_page_view"] !== false) send("page_view", {});
    }
    if (name === "event") send(String(word), Object(more));
  };
  const send = (event: string, parameters: Record<string, unknown>) => {
    if (!configured || Reflect.get(window, `ga-disable-${id}`) === true) return;
    const told = { ...fields, ...parameters };
    const hit = new URLSearchParams({
      v: "2",
      tid: id,
      en: event,
      dl: String(told["page_location"] ?? location.href),
      dr: String(told["page_referrer"] ?? document.referrer),
      gcs: `G1${bit("ad_storage")}${bit("analytics_storage")}`,
      ...(fields["user_id"] === undefined ? {} : { uid: String(fields["user_id"]) }),
    });
    for (const [name, value] of Object.entries(parameters))
      hit.set(typeof value === "number" ? `epn.${name}` : `ep.${name}`, String(value));
    void fetch(`https://region1.google-analytics.com/g/collect?${hit}`, { method: "POST", mode: "no-cors", keepalive: true });
  };
  const layer: unknown = Reflect.get(window, query.get("l") ?? "dataLayer");
  if (!Array.isArray(layer)) return;
  for (const command of layer) take(command);
  layer.push = (...commands: readonly unknown[]) => {
    for (const command of commands) take(command);
    return Array.prototype.push.apply(layer, [...commands]);
  };
}

/** Serves the script and collects its hits. @returns the hits, in order */
export async function googleAnalytics(context: BrowserContext): Promise<Hit[]> {
  const hits: Hit[] = [];
  await context.route("https://www.googletagmanager.com/gtag/js?*", (route) =>
    route.fulfill({ contentType: "text/javascript", body: `(${String(gtag)})()` }),
  );
  await context.route("https://region1.google-analytics.com/g/collect?*", (route) => {
    const { en = "", dl = "", dr = "", gcs = "", tid = "", ...more } = Object.fromEntries(new URL(route.request().url()).searchParams);
    hits.push({ en, dl, dr, gcs, tid, ...more });
    return route.fulfill({ status: 204, body: "" });
  });
  return hits;
}

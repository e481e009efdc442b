/** The HTML and CSS of the stand-in's pages: the form's frame, the hosted page, the developer's page, the buyer's page for the card. */
import { paymentMethods } from "#core/paymentMethods.ts";
import { escapeHtml } from "#core/escapeHtml.ts";
import type { FormTexts } from "./texts.ts";

const head = (title: string, base: string, scripts: readonly string[]) =>
  `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><link rel="stylesheet" href="${base}/form.css">${scripts.map((script) => `<script src="${base}/${script}" defer></script>`).join("")}`;

export function framePage(locale: string, theme: string, base: string, texts: FormTexts): string {
  return `<!doctype html><html lang="${escapeHtml(locale)}" data-theme="${theme === "dark" ? "dark" : "light"}"><head>${head(texts.title, base, ["frame.js"])}</head><body class="frame"><main data-base="${escapeHtml(base)}" data-texts="${escapeHtml(JSON.stringify(texts))}" data-methods="${escapeHtml(JSON.stringify(paymentMethods))}"><p class="note">${escapeHtml(texts.paying)}</p></main></body></html>`;
}

/** @param sum the purchase and today's amount, if the script does not fill it in */
export function hostedPage(
  locale: string,
  base: string,
  texts: FormTexts,
  scripts: readonly string[],
  sum: { readonly name: string; readonly today: string } = { name: "", today: "" },
): string {
  return `<!doctype html><html lang="${escapeHtml(locale)}"><head>${head(texts.title, base, scripts)}</head><body class="hosted"><main><h1>${escapeHtml(texts.title)}</h1><p class="sum"><span data-name>${escapeHtml(sum.name)}</span><b data-today>${escapeHtml(sum.today)}</b></p><div class="frame"></div></main></body></html>`;
}

/** Whose API a purchase belongs to. */
export type ProviderName = "billing" | "classic";

interface ShownSubscription {
  readonly provider: ProviderName;
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly next: string | null;
  readonly planned: string | null;
}
interface ShownTransaction {
  readonly provider: ProviderName;
  readonly id: string;
  readonly status: string;
  readonly total: string;
}

const doing = (provider: string, id: string, actions: readonly (readonly [action: string, label: string])[]) =>
  actions
    .map(
      ([action, label]) =>
        `<button type="button" data-action="${action}" data-provider="${provider}" data-id="${escapeHtml(id)}">${escapeHtml(label)}</button>`,
    )
    .join(" ");

/** The developer's page: controls for the service's behavior, subscriptions and payments. */
export function controlPage(
  base: string,
  state: {
    readonly mode: string;
    readonly modes: readonly (readonly [mode: string, meaning: string])[];
    readonly cards: readonly (readonly [number: string, meaning: string])[];
    readonly subscriptions: readonly ShownSubscription[];
    readonly transactions: readonly ShownTransaction[];
  },
): string {
  const modes = state.modes
    .map(
      ([mode, meaning]) =>
        `<li><label><input type="radio" name="mode" value="${mode}"${mode === state.mode ? " checked" : ""}> <b>${mode}</b> ${escapeHtml(meaning)}</label></li>`,
    )
    .join("");
  const cards = state.cards.map(([number, meaning]) => `<tr><td><code>${number}</code></td><td>${escapeHtml(meaning)}</td></tr>`).join("");
  const subscriptions = state.subscriptions
    .map(
      (one) =>
        `<tr><td>${one.provider}</td><td><code>${escapeHtml(one.id)}</code><br>${escapeHtml(one.name)}</td><td data-status>${escapeHtml(one.status)}${one.planned ? `<br><small>${escapeHtml(one.planned)}</small>` : ""}</td><td>${escapeHtml(one.next?.slice(0, 10) ?? "–")}</td><td>${doing(
          one.provider,
          one.id,
          [
            ["renew", "To the next date"],
            ["year", "A year on"],
            ["recover", "Pay what is due"],
            ["pause", "Pause"],
            ["resume", "Resume"],
            ["cancel", "Cancel"],
          ],
        )}</td></tr>`,
    )
    .join("");
  const transactions = state.transactions
    .map(
      (one) =>
        `<tr><td>${one.provider}</td><td><code>${escapeHtml(one.id)}</code></td><td data-status>${escapeHtml(one.status)}</td><td>${escapeHtml(one.total)}</td><td>${doing(
          one.provider,
          one.id,
          [
            ["refund", "Refund"],
            ["chargeback", "Charge back"],
            ["chargeback-reverse", "Reverse it"],
          ],
        )}</td></tr>`,
    )
    .join("");
  return `<!doctype html><html lang="en"><head>${head("Paddle stand-in", base, ["control.js"])}</head><body class="control"><main data-base="${escapeHtml(base)}"><h1>Paddle stand-in</h1><p role="status" data-told></p><h2>The service today</h2><ul>${modes}</ul><h2>Test cards</h2><table>${cards}</table><h2>Subscriptions</h2><table>${subscriptions || "<tr><td>None yet.</td></tr>"}</table><h2>Transactions</h2><table>${transactions || "<tr><td>None yet.</td></tr>"}</table></main></body></html>`;
}

/** The buyer's page for changing a subscription's card. */
export function portalPage(
  locale: string,
  base: string,
  texts: FormTexts,
  subscription: { readonly id: string; readonly status: string },
  provider: ProviderName,
): string {
  const field = (name: string, label: string, more: string) =>
    `<label><span>${escapeHtml(label)}</span><input name="${name}" ${more}></label>`;
  return `<!doctype html><html lang="${escapeHtml(locale)}"><head>${head(texts.card, base, ["portal.js"])}</head><body class="hosted"><main data-base="${escapeHtml(base)}" data-provider="${provider}" data-id="${escapeHtml(subscription.id)}" data-error="${escapeHtml(texts.cardError)}" data-done="${escapeHtml(texts.cardSaved)}"><h1>${escapeHtml(texts.card)}</h1><form>${field("number", texts.number, 'inputmode="numeric" autocomplete="cc-number"')}<div class="two">${field("expiry", texts.expiry, `autocomplete="cc-exp" placeholder="${escapeHtml(texts.expiryPlaceholder)}"`)}${field("cvc", texts.cvc, 'inputmode="numeric" autocomplete="cc-csc"')}</div>${field("name", texts.name, 'autocomplete="cc-name"')}<p class="problem" role="alert"></p><button>${escapeHtml(texts.saveCard)}</button></form></main></body></html>`;
}

export const formCss = `
@font-face { font-family: Figtree; src: url("figtree.woff2") format("woff2"); font-weight: 300 900; font-display: swap; }
:root { --primary: #4a3aff; --primary-press: #3829d6; --on-primary: #fff; --surface: #fff; --text: #1b1f3b; --quiet: #5a5f7d; --control-line: #857f71; --error: #b3261e; --error-soft: #fbe6e3; --success: #0f7b55; --r-control: 14px; --page-deep: #f2ece1; }
:root[data-theme="dark"] { --primary: #8b7bff; --on-primary: #0e1020; --surface: #181b33; --text: #f3f1ff; --quiet: #b5b3d6; --control-line: #7478a8; --error: #ff8a80; --error-soft: #43232b; --success: #4ade9c; color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 Figtree, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--text); background: transparent; }
body.hosted { background: #faf7f2; }
body.hosted main { max-width: 520px; margin: 0 auto; padding: 32px 20px; }
body.frame main { padding: 4px; }
h1 { font-size: 28px; line-height: 1.15; margin: 0 0 16px; }
.sum { display: flex; justify-content: space-between; gap: 16px; margin: 0 0 24px; padding: 16px; background: var(--surface); border-radius: 14px; min-height: 56px; }
form { display: grid; gap: 16px; }
form[hidden] { display: none; }
label { display: grid; gap: 6px; font-size: 15px; font-weight: 500; min-width: 0; align-content: end; }
input { width: 100%; height: 54px; padding: 0 16px; font: inherit; font-size: 16px; font-variant-numeric: tabular-nums; color: var(--text); background: var(--surface); border: 1.5px solid var(--control-line); border-radius: min(var(--r-control), 18px); }
input[name="number"] { padding-right: 52px; background-repeat: no-repeat; background-position: right 16px center; background-image: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='22' height='22' viewBox='0 0 24 24' fill='none' stroke='%23857f71' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'%3E%3Crect width='20' height='14' x='2' y='5' rx='2'/%3E%3Cpath d='M2 10h20'/%3E%3C/svg%3E"); }
input::placeholder { color: var(--quiet); opacity: 1; }
input:focus-visible { outline: 3px solid var(--primary); outline-offset: -1.5px; border-color: var(--primary); }
input[aria-invalid="true"] { border-color: var(--error); background: var(--error-soft); }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
button { height: 56px; width: 100%; border: 0; border-radius: var(--r-control); font: inherit; font-size: 18px; font-weight: 700; color: var(--on-primary); background: var(--primary); cursor: pointer; }
button:hover:not(:disabled) { background: var(--primary-press); }
button:focus-visible { outline: 3px solid var(--primary); outline-offset: 3px; }
button:disabled { opacity: .6; cursor: default; }
.methods { display: grid; grid-template-columns: repeat(auto-fit, minmax(120px, 1fr)); gap: 8px; margin: 0; padding: 0; border: 0; }
.methods label { display: flex; align-items: center; justify-content: center; gap: 8px; min-height: 52px; padding: 8px 12px; font-weight: 600; text-align: center; background: var(--surface); border: 1.5px solid var(--control-line); border-radius: min(var(--r-control), 18px); cursor: pointer; }
.methods label:has(:checked) { border-color: var(--primary); box-shadow: inset 0 0 0 .5px var(--primary); }
.methods label:has(:focus-visible) { outline: 3px solid var(--primary); outline-offset: 3px; }
.methods input { position: absolute; opacity: 0; width: 1px; height: 1px; }
.cards { display: grid; gap: 16px; }
.cards[hidden] { display: none; }
button.quiet { margin-top: 12px; color: var(--text); background: transparent; border: 1.5px solid var(--control-line); }
button.quiet:hover:not(:disabled) { background: var(--page-deep); }
.problem { margin: 0; color: var(--error); font-weight: 500; }
.problem:empty { display: none; }
.note { margin: 0; font-size: 14px; color: var(--quiet); text-align: center; }
.done { margin: 0; padding: 32px 8px; font-size: 18px; font-weight: 600; text-align: center; color: var(--success); }
body.control { background: #faf7f2; }
body.control main { max-width: 1080px; margin: 0 auto; padding: 32px 20px; overflow-x: auto; }
body.control h2 { font-size: 18px; margin: 28px 0 8px; }
body.control ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px; }
body.control label { display: block; font-weight: 400; }
body.control input { width: auto; height: auto; }
body.control table { border-collapse: collapse; width: 100%; background: var(--surface); border-radius: 14px; }
body.control td { padding: 8px 12px; text-align: start; vertical-align: top; border-top: 1px solid #e6ded1; font-size: 14px; }
body.control button { width: auto; height: 32px; margin: 2px; padding: 0 10px; font-size: 14px; font-weight: 500; border-radius: 10px; }
.challenge { padding: 8px 0; }
.challenge h2 { font-size: 22px; line-height: 1.15; margin: 0 0 8px; }
.challenge p { margin: 0 0 20px; color: var(--quiet); }
`;

/** Creates people with accounts by API calls instead of walking the funnel, and reads their mailboxes. */
import type { VersionName } from "#content/questionnaires/known.ts";
import { expect } from "@playwright/test";
import { emptySavedState } from "#test/savedState.ts";
import { randomUUID } from "node:crypto";
import { newVisitor, type Visitor } from "./walk.ts";
import type { RunningSite } from "./site.ts";

export interface Person extends Visitor {
  readonly uuid: string;
}

/** Makes a call that must succeed. Retries a busy server after its Retry-After. */
export async function call(site: RunningSite, path: string, body: object, token?: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${site.url}/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  const comeAgain = Number(response.headers.get("retry-after"));
  if (response.status === 503 && comeAgain > 0) {
    await new Promise((resolve) => setTimeout(resolve, comeAgain * 1_000));
    return call(site, path, body, token);
  }
  if (!response.ok || typeof answer !== "object" || answer === null)
    throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  return { ...answer };
}

/** Creates a person with a confirmed address and saved answers of a version up to a question. */
export async function personWith(
  site: RunningSite,
  answers: readonly (readonly [number, number])[],
  currentQuestionId: number,
  version: VersionName = "76",
): Promise<Person> {
  const person = { ...newVisitor(), uuid: randomUUID() };
  const { uuid, email, password, firstname } = person;
  await call(site, "signup", { uuid, email, password, firstname, uiLanguage: "es-419", questionnaire: version, version: "v5.7.8" });
  site.change("UPDATE accounts SET email_confirmed_at = 1 WHERE email = ?", email);
  const { token } = await call(site, "login", { email, password });
  const state = {
    ...emptySavedState,
    id: version,
    visitedQuestionIds: answers.map(([questionId]) => questionId),
    selectedOptions: answers.map(([questionId, optionId]) => ({ questionId, optionId })),
    currentQuestionId,
    user: { uuid, email, firstname },
  };
  await call(site, "questionnaire", { state, userLevel: null }, String(token));
  return person;
}

export interface Mail {
  readonly id: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** Waits for a matching mail to an address and returns the newest. */
export async function mailTo(site: RunningSite, email: string, matching: RegExp, than: readonly string[] = []): Promise<Mail> {
  let found: Mail | undefined;
  await expect
    .poll(async () => {
      const mails: readonly Mail[] = await (await fetch(`${site.url}/dev/mail.json?to=${encodeURIComponent(email)}`)).json();
      found = mails.find((mail) => matching.test(mail.text) && !than.includes(mail.id));
      return found !== undefined;
    })
    .toBe(true);
  if (found === undefined) throw new Error(`no mail to ${email}`);
  return found;
}

/** The first matching link in a mail. */
export function linkIn(mail: Mail, matching: RegExp): string {
  const link = mail.text.match(/https?:\/\/\S+/g)?.find((address) => matching.test(address));
  if (link === undefined) throw new Error(`no such link in "${mail.subject}"`);
  return link;
}

/** Gives somebody a paid plan that has ended. */
export function hadPlan(site: RunningSite, uuid: string): void {
  givePlan(site, uuid, { status: "deleted", endsAt: 1000 });
}

/** Gives somebody a paid plan that lasts for another month. */
export function hasPlan(site: RunningSite, uuid: string): void {
  givePlan(site, uuid, { status: "active", endsAt: Date.now() + 30 * 24 * 60 * 60 * 1000 });
}

function givePlan(site: RunningSite, uuid: string, { status, endsAt }: { readonly status: string; readonly endsAt: number }): void {
  const order = `old-${uuid}`;
  site.change(
    "INSERT INTO orders (id, account_uuid, product_id, product_type, product_plan, trial_days, price_id, quantity, currency, price, payment_provider, status, created_at, updated_at) VALUES (?, ?, 'subscription-3m-mxn', 'subscription', '3M', 7, 'pri', 1, 'MXN', 74700, 'paddlebilling', 'completed', 1, 1)",
    order,
    uuid,
  );
  site.change(
    `INSERT INTO entitlements (order_id, account_uuid, status, ends_at, created_at, updated_at) VALUES (?, ?, ?, ${endsAt}, 1, 1)`,
    order,
    uuid,
    status,
  );
  site.change(
    "INSERT INTO money_entries (payment_provider, id, kind, transaction_id, order_id, for_period, at, day, currency, gross, tax) VALUES ('paddlebilling', ?, 'payment', ?, ?, 1, 1, '2026-01-01', 'MXN', 74700, 0)",
    order,
    order,
    order,
  );
}

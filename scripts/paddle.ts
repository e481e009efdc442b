/**
 * `npm run paddle -- …`
 * - `check` compares the catalogue with the providers' prices and prints every difference; fails when there is one.
 * - `mismatches` lists payments that differ from their order.
 * - `settled <transaction>` removes a payment from that list; it stays refused.
 * - `accepted <transaction>` lets it entitle in spite of the difference, within a minute.
 * - `notices` lists cancellation and withdrawal notices that wait for a person.
 * - `answered <number>` removes a notice from that list.
 */
import { products } from "#content/catalog/products.ts";
import { EnvError, readEnv } from "#server/env.ts";
import type { PriceIdOf } from "#server/payments/catalogue.ts";
import { priceDifferences } from "#server/payments/priceCheck.ts";
import { createPaddleBilling } from "#server/payments/paddleBilling.ts";
import { createPaddleClassic } from "#server/payments/paddleClassic.ts";
import { type PaymentProvider, ProviderFailure } from "#server/payments/provider.ts";
import { answerNotice, printNotices } from "./contractNotices.ts";
import { accept, printMismatches, settle } from "./paymentMismatches.ts";

const timeoutMs = () => 60_000;

/** @returns the number of differences; null without a provider */
async function check(): Promise<number | null> {
  const { paddle, paddleClassic } = readEnv(process.env);
  const checks: { readonly provider: PaymentProvider; readonly priceIdOf: PriceIdOf }[] = [];
  if (paddle !== null)
    checks.push({ provider: createPaddleBilling({ ...paddle, timeoutMs }), priceIdOf: (id) => paddle.prices[id] ?? null });
  if (paddleClassic !== null)
    checks.push({
      provider: createPaddleClassic({ ...paddleClassic, now: Date.now, timeoutMs }),
      priceIdOf: (id) => paddleClassic.products[id] ?? null,
    });
  let count = 0;
  for (const { provider, priceIdOf } of checks) {
    const own = products.filter(({ paymentProvider }) => paymentProvider === provider.name);
    for (const difference of await priceDifferences(own, provider, priceIdOf)) {
      count += 1;
      console.log(`${provider.name}: ${difference}`);
    }
  }
  return checks.length === 0 ? null : count;
}

const [, , command, transaction] = process.argv;
const isAboutOne = (command === "settled" || command === "accepted" || command === "answered") && transaction !== undefined;
if (command !== "check" && command !== "mismatches" && command !== "notices" && !isAboutOne) {
  console.error(
    "Usage: npm run paddle -- check, -- mismatches, -- settled <transaction>, -- accepted <transaction>, -- notices, or -- answered <number>",
  );
  process.exit(2);
}
try {
  if (command === "mismatches") {
    console.log(`${await printMismatches()} payments are not what was ordered.`);
    process.exit(0);
  }
  if (command === "notices") {
    console.log(`${await printNotices()} statements wait for a person.`);
    process.exit(0);
  }
  if (command === "answered") {
    const found = await answerNotice(transaction ?? "");
    console.log(found ? `${transaction} is answered.` : `No statement ${transaction} waits for a person.`);
    process.exit(found ? 0 : 1);
  }
  if (command === "settled") {
    const found = await settle(transaction ?? "");
    console.log(found ? `${transaction} is settled.` : `No payment ${transaction} is on the list.`);
    process.exit(found ? 0 : 1);
  }
  if (command === "accepted") {
    const found = await accept(transaction ?? "");
    console.log(found ? `${transaction} is accepted: it entitles within a minute.` : `No payment ${transaction} was refused.`);
    process.exit(found ? 0 : 1);
  }
  const count = await check();
  if (count === null) console.log("No provider is configured: the stand-in uses the catalogue's prices.");
  else console.log(count === 0 ? "The providers' prices match the catalogue." : `${count} differences from the catalogue.`);
  process.exit(count === null || count === 0 ? 0 : 1);
} catch (error) {
  if (error instanceof EnvError) console.error(error.sentences.join("\n"));
  else if (error instanceof ProviderFailure) console.error(`Nothing was compared. ${error.message}`);
  else throw error;
  process.exit(1);
}

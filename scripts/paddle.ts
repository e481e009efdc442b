/** `npm run paddle -- check`: compares the catalogue with the providers' prices and prints every difference; fails when there is one. */
import { products } from "#content/catalog/products.ts";
import { readEnv } from "#server/env.ts";
import { priceDifferences } from "#server/payments/priceCheck.ts";
import { createPaddleBilling } from "#server/payments/paddleBilling.ts";
import { createPaddleClassic } from "#server/payments/paddleClassic.ts";

if (process.argv[2] !== "check") {
  console.error("Usage: npm run paddle -- check");
  process.exit(2);
}
const { paddle, paddleClassic } = readEnv(process.env);
if (paddle === null && paddleClassic === null) {
  console.log("No provider is configured: the stand-in serves the catalogue itself.");
  process.exit(0);
}
const checks = [
  ...(paddle === null
    ? []
    : [{ provider: createPaddleBilling({ ...paddle, timeoutMs: 60_000 }), priceIdOf: (id: string) => paddle.prices[id] ?? null }]),
  ...(paddleClassic === null
    ? []
    : [
        {
          provider: createPaddleClassic({ ...paddleClassic, now: Date.now, timeoutMs: 60_000 }),
          priceIdOf: (id: string) => paddleClassic.products[id] ?? null,
        },
      ]),
];
let count = 0;
for (const { provider, priceIdOf } of checks) {
  const own = products.filter(({ paymentProvider }) => paymentProvider === provider.name);
  for (const difference of await priceDifferences(own, provider, priceIdOf)) {
    count += 1;
    console.log(`${provider.name}: ${difference}`);
  }
}
console.log(count === 0 ? "The providers' prices are the catalogue's." : `${count} differences`);
process.exit(count === 0 ? 0 : 1);

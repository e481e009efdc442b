/** What Classic has besides its engine, which is that of Paddle Billing: pay links, and numbers instead of ids. */
import type { ITransactionResponse } from "@paddle/paddle-node-sdk";
import * as v from "valibot";
import type { RecordFile, Records } from "../../records.ts";
import type { Billing } from "../billing.ts";
import type { StandinPrice } from "../billing/prices.ts";

export interface PayLink {
  readonly id: string;
  readonly productId: string;
  readonly passthrough: string;
  readonly couponCode: string | null;
  readonly returnUrl: string | null;
}

export interface Desk {
  readonly billing: Billing;
  readonly prices: readonly StandinPrice[];
  /** URL of the stand-in with Classic's prefix. */
  readonly base: () => string;
  readonly links: Records<PayLink>;
  readonly nextNumber: () => number;
  /** Classic has numbers where the engine has text ids. Each id always gets the same number. */
  readonly numberOf: (inner: string) => string;
}

export function openNumbers(records: RecordFile): Pick<Desk, "nextNumber" | "numberOf"> {
  const numbers = records.kind<number>("number");
  function nextNumber(): number {
    const next = (numbers.get("last") ?? 100_000) + 1;
    numbers.put("last", next);
    return next;
  }
  return {
    nextNumber,
    numberOf: (inner) => {
      const number = numbers.get(inner) ?? nextNumber();
      numbers.put(inner, number);
      return String(number);
    },
  };
}

const customSchema = v.object({ passthrough: v.string(), checkout: v.string() });
/** What Classic keeps with a purchase: the pay link's passthrough, and its own name for the checkout. */
export const customOf = (entity: { readonly custom_data?: object | null }) => v.parse(customSchema, entity.custom_data);

export const innerOf = ({ billing, numberOf }: Desk, number: string) =>
  billing.subscriptions().find(({ id }) => numberOf(id) === number)?.id;
export const orderIdOf = ({ numberOf }: Desk, transaction: ITransactionResponse) =>
  `${numberOf(transaction.id)}-${numberOf(`order ${transaction.id}`)}`;
export const manageUrl = ({ base }: Pick<Desk, "base">, subscriptionId: string) => `${base()}/manage?subscription=${subscriptionId}`;
export const receiptUrl = ({ base }: Desk) => `${base()}/receipt`;

export const subscriptionStatus = {
  active: "active",
  trialing: "trialing",
  past_due: "past_due",
  paused: "paused",
  canceled: "deleted",
} as const;

/** Cards: what a buyer enters, and what happens to a payment with it. */
export interface CardInput {
  readonly number: string;
  readonly expiry: string;
  readonly cvc: string;
  readonly name: string;
}

/** The developer page's descriptions of the cards. */
export const testCards = [
  ["4242 4242 4242 4242", "is charged"],
  ["4000 0038 0000 0446", "the bank asks for a confirmation (3-D Secure)"],
  ["4000 0000 0000 0002", "is declined"],
  ["4000 0027 6000 3184", "is charged once, its renewals are declined"],
] as const;

type CardBehaviour = "ok" | "challenge" | "declined" | "renewal declined";
/** The four test cards; every other number is invalid. */
const behaviours: Readonly<Record<string, CardBehaviour>> = {
  "4242424242424242": "ok",
  "4000003800000446": "challenge",
  "4000000000000002": "declined",
  "4000002760003184": "renewal declined",
};

export const goodCard: CardInput = { number: "4242424242424242", expiry: "12/40", cvc: "100", name: "" };

export const digitsOf = (number: string): string => number.replace(/\D/g, "");

/** Undefined for an invalid number. */
export const behaviourOf = (number: string): CardBehaviour | undefined =>
  Object.hasOwn(behaviours, number) ? behaviours[number] : undefined;

/** Whether everything but the number is valid. */
export function isComplete(card: CardInput, now: number): boolean {
  const [month, year] = card.expiry.split("/").map((part) => Number(part.trim()));
  const end = month !== undefined && year !== undefined && month >= 1 && month <= 12 ? Date.UTC(2000 + year, month, 1) : 0;
  return end > now && /^\d{3,4}$/.test(card.cvc) && card.name.trim() !== "";
}

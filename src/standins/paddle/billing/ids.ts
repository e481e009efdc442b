import { randomBytes } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const digit = (value: number) => alphabet[value % alphabet.length];
const inBase32 = (value: number, width: number) =>
  Array.from({ length: width }, (_, at) => digit(Math.floor(value / alphabet.length ** (width - 1 - at)))).join("");
let made = 0;
/** A ULID with a prefix, like Paddle's: ids ascend with time, and in order within a millisecond. */
export function newId(prefix: string): string {
  made += 1;
  return `${prefix}_${inBase32(Date.now(), 10)}${inBase32(made, 6)}${Array.from(randomBytes(10), digit).join("")}`;
}

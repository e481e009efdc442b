/** Encodes small whole numbers as text: one character up to 31, and one more for each further five bits. */
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const continues = 32;
const valueOf = new Uint8Array(128);
for (let value = 0; value < alphabet.length; value += 1) valueOf[alphabet.charCodeAt(value)] = value;

/** @param numbers whole numbers from 0 to 2^53 - 1 */
export function encodeNumbers(numbers: Iterable<number>): string {
  let text = "";
  for (const number of numbers) {
    let rest = number;
    for (; rest >= continues; rest = Math.floor(rest / continues)) text += alphabet[continues + (rest % continues)];
    text += alphabet[rest];
  }
  return text;
}

export interface Numbers {
  /** The next number; undefined after the last one. */
  readonly next: () => number | undefined;
  /** Skips some numbers. */
  readonly skip: (count: number) => void;
}

export function numbersIn(text: string): Numbers {
  let at = 0;
  return {
    next: () => {
      if (at >= text.length) return undefined;
      let number = 0;
      for (let place = 1; ; place *= continues) {
        const value = valueOf[text.charCodeAt((at += 1) - 1)] ?? 0;
        number += (value % continues) * place;
        if (value < continues || at >= text.length) return number;
      }
    },
    skip: (count) => {
      for (let left = count; left > 0 && at < text.length; at += 1) if ((valueOf[text.charCodeAt(at)] ?? 0) < continues) left -= 1;
    },
  };
}

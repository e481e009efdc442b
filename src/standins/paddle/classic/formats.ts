/** Classic writes times and amounts as text: whole seconds, days, major units. */
import { minorUnitsOf } from "#core/formats.ts";

export const seconds = (time: string | null | undefined) => (time ? time.slice(0, 19).replace("T", " ") : "");
export const day = (time: string | null | undefined) => (time ? time.slice(0, 10) : "");
export function major(amount: string | number | null | undefined, currency: string): string {
  const unit = minorUnitsOf(currency);
  return (Number(amount ?? "0") / unit).toFixed(Math.round(Math.log10(unit)));
}

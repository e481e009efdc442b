/** Values as elements, with the exact value on hover. */
import { inWords } from "./formats.ts";

/** Shown for unknown values, which must not look like 0. */
const unknown = <span className="quiet">–</span>;

/** A moment like `20 Nov, 14:20`, with the exact time on hover. */
export function When({ at, day = false }: { readonly at: number | null; readonly day?: boolean }) {
  if (at === null) return unknown;
  return (
    <time dateTime={new Date(at).toISOString()} title={inWords.fullMoment(at)} style={{ whiteSpace: "nowrap" }}>
      {day ? inWords.dayAndYear(at) : inWords.moment(at)}
    </time>
  );
}

/** An amount in minor units. */
export function Money({ minor, currency }: { readonly minor: number | null; readonly currency: string }) {
  return minor === null ? unknown : <span title={`${minor} minor units of ${currency}`}>{inWords.money(minor, currency)}</span>;
}

/** A share from 0 to 1, as a percentage. */
export function Share({ value, digits = 1 }: { readonly value: number | null; readonly digits?: number }) {
  return value === null ? unknown : <>{inWords.share(value, digits)}</>;
}

export function Lasting({ ms }: { readonly ms: number | null }) {
  return ms === null ? unknown : <span style={{ whiteSpace: "nowrap" }}>{inWords.lasting(ms)}</span>;
}

/** The part of a block's site that bundled blocks without placeholders do not need. It loads with the other blocks. */
import type { BlockSite } from "#blocks/view.ts";
import { formatsFor } from "#core/formats.ts";
import { type PlaceholderInput, shownValues } from "#core/questionnaire/placeholders.ts";
import { planOf } from "#core/questionnaire/plan.ts";
import type { TextValues } from "#core/text.ts";
import { accountEmail } from "../../../device/accountAddress.ts";
import { isSignedIn, type KeyValueStore } from "../../../device/storage.ts";

export interface LaterSiteInput extends Omit<PlaceholderInput, "formats"> {
  /** Null until hydration: the server knows no account. */
  readonly store?: KeyValueStore | null;
}
export type LaterSite = Pick<BlockSite, "formats" | "plan"> & { readonly values: TextValues };

export function laterSite({ store = null, ...input }: LaterSiteInput): LaterSite {
  const formats = formatsFor(input.context.locale);
  const values = shownValues({ ...input, formats });
  // A page of another version than the account's has not taken over its state.
  const email = store !== null && isSignedIn(store) ? accountEmail(store) : null;
  return { formats, plan: planOf(input), values: email === null ? values : { ...values, EMAIL: values.EMAIL ?? email } };
}

/** The part of a block's site that bundled blocks without placeholders do not need. It loads with the other blocks. */
import type { BlockSite } from "#blocks/view.ts";
import { formatsFor } from "#core/formats.ts";
import { type PlaceholderInput, shownValues } from "#core/questionnaire/placeholders.ts";
import { planOf } from "#core/questionnaire/plan.ts";
import type { TextValues } from "#core/text.ts";

export type LaterSiteInput = Omit<PlaceholderInput, "formats">;
export type LaterSite = Pick<BlockSite, "formats" | "plan"> & { readonly values: TextValues };

export function laterSite(input: LaterSiteInput): LaterSite {
  const formats = formatsFor(input.context.locale);
  return { formats, plan: planOf(input), values: shownValues({ ...input, formats }) };
}

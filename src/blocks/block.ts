/** The definition of a block, without its appearance. */
import type { Locale } from "#core/locales.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { StudySchedule } from "#core/questionnaire/definition.ts";
import type { State } from "#core/questionnaire/state.ts";
import type * as v from "valibot";

/** pass: the visitor can go on. fail: the action button is disabled. block: the action button is hidden (spec 001 §4). */
export type BlockStatus = "pass" | "fail" | "block";

export interface BlockInput {
  readonly state: State;
  readonly context: Context;
  /** Whether the view has reported its end: the counter is at 100, or the timer is over. */
  readonly done: boolean;
  /** Current values of the sign-up fields. The state has a name, e-mail or password only after it was sent. */
  readonly fields: SignupFields;
}

export interface SignupFields {
  readonly firstname: string;
  readonly email: string;
  readonly password: string;
}

export interface BlockSpec<Type extends string = string, Schema extends v.GenericSchema = v.GenericSchema> {
  readonly type: Type;
  /** A strict object that includes `type: literal` and `requirements`. */
  readonly schema: Schema;
  readonly validate: (content: v.InferOutput<Schema>, input: BlockInput) => BlockStatus;
  /** Keys of the interface texts that the view uses with `site.t`. */
  readonly uiTexts?: readonly string[];
  /** The view goes on by itself (`site.submit`); its button stays hidden. */
  readonly submits?: true;
  /** Names of pictures that the view shows in addition to those in the content. */
  readonly pictures?: (content: v.InferOutput<Schema>, schedules: readonly StudySchedule[]) => readonly string[];
  /** Uses the widest variant of its pictures on every screen (`#ui/Picture.tsx`). */
  readonly largePictures?: (content: v.InferOutput<Schema>) => boolean;
  /** The data that the block reads. The checker proves that it is known on every path to the block. */
  readonly needs?: readonly ("schedule" | "days" | "firstname" | "email" | "signup" | "level" | "targetLevel" | "product")[];
}

/** A block's spec, with its literal types preserved. */
export function blockSpec<const Type extends string, Schema extends v.GenericSchema>(
  spec: BlockSpec<Type, Schema>,
): BlockSpec<Type, Schema> {
  return spec;
}

/** Examples for the gallery and the conformance tests. */
export interface BlockExample<Content> {
  /** A short English sentence about what the example shows. */
  readonly name: string;
  /** Language of the example and everything around it; the default is Latin American Spanish. */
  readonly locale?: Locale;
  readonly content: Content;
  /** Overrides fields of a complete example state. */
  readonly state?: Partial<State>;
  readonly fields?: Partial<SignupFields>;
  readonly done?: boolean;
  /** The expected result of `validate`. */
  readonly status: BlockStatus;
}

export interface BlockExamples<Content> {
  readonly valid: readonly BlockExample<Content>[];
  /** Contents that the schema must reject. */
  readonly invalid: readonly { readonly name: string; readonly content: unknown }[];
}

/** What a block is, apart from how it looks. */
import type { Locale } from "#core/locales.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { StudySchedule } from "#core/questionnaire/definition.ts";
import type { State } from "#core/questionnaire/state.ts";
import type * as v from "valibot";

/** pass: may go on. fail: the action button is disabled. block: the action button is hidden (spec 001 §4). */
export type BlockStatus = "pass" | "fail" | "block";

export interface BlockInput {
  readonly state: State;
  readonly context: Context;
  /** The view has reported its end (counter at 100, video past its timer). */
  readonly done: boolean;
  /** What stands in the sign-up fields now; a name, e-mail or password is in the state only once it was sent. */
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
  /** Keys of the interface texts the view asks for with `site.t`. */
  readonly uiTexts?: readonly string[];
  /** Its view goes on by itself (`site.submit`), while its button is hidden. */
  readonly submits?: true;
  /** Names of pictures that its view shows and its content does not name. */
  readonly pictures?: (content: v.InferOutput<Schema>, schedules: readonly StudySchedule[]) => readonly string[];
  /** Its pictures are the large ones on every screen (`#ui/Picture.tsx`). */
  readonly largePictures?: (content: v.InferOutput<Schema>) => boolean;
  /** What the block reads and what must therefore be bound on every path to it (the checker proves it). */
  readonly needs?: readonly ("schedule" | "days" | "firstname" | "email" | "signup" | "level" | "targetLevel" | "product")[];
}

/** Keeps the literal types of a block's spec. */
export function blockSpec<const Type extends string, Schema extends v.GenericSchema>(
  spec: BlockSpec<Type, Schema>,
): BlockSpec<Type, Schema> {
  return spec;
}

/** For the gallery and the conformance tests. */
export interface BlockExample<Content> {
  /** A short English sentence on what the example shows. */
  readonly name: string;
  /** The language it is written in, when that is not Latin American Spanish: all around it is in that language too. */
  readonly locale?: Locale;
  readonly content: Content;
  /** Merged over a complete example state. */
  readonly state?: Partial<State>;
  readonly fields?: Partial<SignupFields>;
  readonly done?: boolean;
  /** What `validate` must answer. */
  readonly status: BlockStatus;
}

export interface BlockExamples<Content> {
  readonly valid: readonly BlockExample<Content>[];
  /** Contents that the schema must refuse. */
  readonly invalid: readonly { readonly name: string; readonly content: unknown }[];
}

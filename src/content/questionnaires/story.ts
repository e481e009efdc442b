/** Tools for authors of questionnaires: a base story of screens, and small edits that turn it into a version. */
import type { BlockContentInput } from "#blocks/specs.ts";
import type { OptionInput, QuestionInput } from "#core/questionnaire/definition.ts";
import type { Text } from "#core/text.ts";
import type { TextKey } from "../texts/questionnaire.ts";
import { lacks, InvalidDefinition } from "./invalidDefinition.ts";

/** Returns the text of a key, in the locale that is being built. */
export type Say = (key: TextKey) => Text;

/** A question as its author writes it. Options without a follow-up of their own lead to `next`. */
export interface Screen extends Omit<QuestionInput, "contents" | "options"> {
  readonly contents: BlockContentInput[];
  readonly options: OptionInput[];
  readonly next?: number;
}

/** The questionnaire's questions, with `next` written into the options. */
export function questionsOf(story: readonly Screen[]): QuestionInput[] {
  return completeStory(story).map(({ next, ...question }) => ({
    ...question,
    options: question.options.map((option) =>
      next === undefined || option.followUpQuestion !== undefined || isWayBack(option) ? option : { ...option, followUpQuestion: next },
    ),
  }));
}

/** Reports missing fields, because types are erased at runtime and an edit would fail on them. */
function completeStory(story: readonly Screen[]): readonly Screen[] {
  const faults = story.flatMap((screen, index) => {
    const missing = (["id", "contents", "options"] as const).filter((field) => !Object.hasOwn(screen, field));
    const before = story[index - 1]?.id;
    return missing.map((field) =>
      field === "id"
        ? { message: `The ${before === undefined ? "first screen" : `screen after ${before}`} lacks id.` }
        : lacks(screen.id, field),
    );
  });
  if (faults.length > 0) throw new InvalidDefinition(faults);
  return story;
}

function isWayBack(option: OptionInput): boolean {
  return option.type === "ToPrevious" || option.type === "ToHomePage";
}

/** The story with one screen edited. */
export function replace(story: readonly Screen[], id: number, edit: (screen: Screen) => Screen): Screen[] {
  indexOf(story, id);
  return story.map((screen) => (screen.id === id ? edit(screen) : screen));
}

/** Inserts screens after the screen `id`. That screen then leads to the first of them, and the last of them leads where that screen led before. */
export function insertAfter(story: readonly Screen[], id: number, ...screens: readonly Screen[]): Screen[] {
  const at = indexOf(story, id);
  const first = screens[0];
  if (!first) return [...story];
  const next = story[at]?.next;
  const chained = screens.map((screen, index) => {
    const following = screens[index + 1]?.id ?? next;
    return screen.next !== undefined || following === undefined ? screen : { ...screen, next: following };
  });
  return [...replace(story, id, (screen) => ({ ...screen, next: first.id })).slice(0, at + 1), ...chained, ...story.slice(at + 1)];
}

/** The story with screens inserted before one: everything that led to it leads to the first of them, and the last leads to it. */
export function insertBefore(story: readonly Screen[], id: number, ...screens: readonly Screen[]): Screen[] {
  const at = indexOf(story, id);
  const first = screens[0];
  if (!first) return [...story];
  const chained = screens.map((screen, index) => (screen.next === undefined ? { ...screen, next: screens[index + 1]?.id ?? id } : screen));
  const led = rewire(story, id, first.id);
  return [...led.slice(0, at), ...chained, ...led.slice(at)];
}

/** The story without a screen. Everything that led to it leads to its `next`. */
export function remove(story: readonly Screen[], id: number): Screen[] {
  const next = story[indexOf(story, id)]?.next;
  if (next === undefined)
    throw new InvalidDefinition([{ question: id, message: `Screen ${id} has no next screen that could take its place.` }]);
  return rewire(
    story.filter((screen) => screen.id !== id),
    id,
    next,
  );
}

/** The story without several screens. */
export function without(story: readonly Screen[], ...ids: readonly number[]): Screen[] {
  return ids.reduce<Screen[]>((left, id) => remove(left, id), [...story]);
}

/** The story with every link to one screen redirected to another. */
export function rewire(story: readonly Screen[], from: number, to: number): Screen[] {
  const link = (id: number) => (id === from ? to : id);
  return completeStory(story).map((screen) => ({
    ...screen,
    ...(screen.next !== undefined && { next: link(screen.next) }),
    ...(screen.followUps && {
      followUps: screen.followUps.map((followUp) => ({ ...followUp, followUpQuestion: link(followUp.followUpQuestion) })),
    }),
    options: screen.options.map((option) =>
      option.followUpQuestion === undefined ? option : { ...option, followUpQuestion: link(option.followUpQuestion) },
    ),
  }));
}

/** A copy without one of the fields. */
export function lacking<Thing extends object, Field extends keyof Thing>(thing: Thing, field: Field): Omit<Thing, Field> {
  const copy = { ...thing };
  Reflect.deleteProperty(copy, field);
  return copy;
}

function indexOf(story: readonly Screen[], id: number): number {
  const at = completeStory(story).findIndex((screen) => screen.id === id);
  if (at < 0) throw new InvalidDefinition([{ message: `No screen ${id} in the story.` }]);
  return at;
}

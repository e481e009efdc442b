/** Reads an untrusted state: a stored one, or one from a call. Separate from `saved.ts`, because a first visit has no state to read. */
import * as v from "valibot";
import { stateFormat } from "./saved.ts";
import { type State, stateSchema } from "./state.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Converts a stored state of each format to the newest one. A state in a call has no format number: client and server each parse it as
 * their own format.
 */
const readers: Readonly<Record<number, (fields: Fields) => Fields>> = {
  // Nothing to convert: the release is optional in format 2.
  1: (fields) => fields,
  [stateFormat]: (fields) => fields,
};

/** Reads a stored state of any format. If a newer build wrote it, in a format unknown here, only the known fields are read. */
function readFields(value: unknown): Fields {
  const fields = Object.assign({}, withoutNulls(value));
  const format = "format" in fields && typeof fields.format === "number" ? fields.format : 1;
  return readers[format]?.(fields) ?? fields;
}

/** Parses an untrusted stored state: null fields become undefined, missing lists empty. Null when it is not a state. */
export function parseSavedState(value: unknown): State | null {
  const lists = { days: [], skillsToImprove: [], moreInfoOf: [], programChangeWish: [] };
  const parsed = v.safeParse(stateSchema, { ...lists, user: {}, ...readFields(value) });
  if (!parsed.success) return null;
  const state = parsed.output;
  return {
    ...state,
    finishedTimestamp: state.finishedTimestamp,
    schedule: state.schedule,
    studySchedule: state.studySchedule,
    programEndDate: state.programEndDate,
  };
}

/** A state as GET questionnaire returns it, on both sides of the call: null fields become undefined (spec 000 §7). */
export const receivedStateSchema = v.pipe(
  v.unknown(),
  v.transform((value): State | "invalid" => parseSavedState(value) ?? "invalid"),
);

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => (field === null || field === undefined ? [] : [[key, withoutNulls(field)]])),
  );
}

/** The questionnaire's state in the device's storage. `readState.ts` reads it: a first visit has none to read. */
import { savedState } from "#core/questionnaire/saved.ts";
import type { State } from "#core/questionnaire/state.ts";
import { type KeyValueStore, storedFields } from "./storage.ts";

/** The device's record of the server's copy of the state. */
export interface Sync {
  /** The time of the server's save on which the device's state is based. */
  readonly savedAt?: string | undefined;
  /** The number of answers that the server has. */
  readonly synced: number;
  readonly unsaved: boolean;
}

/** Stores the state. Without `sync`, the server has no copy yet. */
export function storeState(store: KeyValueStore, state: State, sync: Sync | undefined): void {
  store.set("questionnaireState", JSON.stringify({ ...savedState(state), sync }));
}

/** The record of a state that was taken over: from that save of the server, or from elsewhere. It is still to be saved. */
export const syncOf = (state: State, savedAt: string | undefined): Sync => ({
  savedAt,
  synced: savedAt === undefined ? 0 : state.selectedOptions.length,
  unsaved: true,
});

/** Stores the server's state unchanged, for the next page. */
export function storeServerState(store: KeyValueStore, state: State, savedAt: string | undefined): void {
  storeState(store, state, { ...syncOf(state, savedAt), unsaved: savedAt === undefined });
}

/** The stored sync record, or undefined. */
export function storedSync(store: KeyValueStore): Sync | undefined {
  const { sync } = storedFields(store, "questionnaireState");
  const { savedAt, synced, unsaved } = fieldsOf(sync);
  const isSync = typeof synced === "number" && typeof unsaved === "boolean" && (savedAt === undefined || typeof savedAt === "string");
  return isSync ? { synced, unsaved, ...(savedAt === undefined ? {} : { savedAt }) } : undefined;
}

/** The visitor of the stored state. */
export function storedUser(store: KeyValueStore): { readonly uuid: string | undefined; readonly email: string | undefined } {
  const { uuid, email } = fieldsOf(storedFields(store, "questionnaireState")["user"]);
  return { uuid: typeof uuid === "string" ? uuid : undefined, email: typeof email === "string" ? email : undefined };
}

/** The version and the current question of stored answers, or of an account; null without any. */
export function storedProgress(store: KeyValueStore): Pick<State, "id" | "currentQuestionId"> | null {
  const { id, currentQuestionId, selectedOptions, signupDone } = storedFields(store, "questionnaireState");
  const hasBegun = signupDone === true || (Array.isArray(selectedOptions) && selectedOptions.length > 0);
  return hasBegun && typeof id === "string" && typeof currentQuestionId === "number" ? { id, currentQuestionId } : null;
}

/** Gives the stored state its visitor's id, if it has none. */
export function identifyStored(store: KeyValueStore, uuid: string | undefined): void {
  const stored = storedFields(store, "questionnaireState");
  const user = { ...fieldsOf(stored["user"]), uuid: storedUser(store).uuid ?? uuid };
  store.set("questionnaireState", JSON.stringify({ ...stored, user }));
}

/** Gives the stored state the account's address, which changes when a new one is confirmed. Another account's state is left as it is. */
export function addressStored(store: KeyValueStore, { uuid, email }: { readonly uuid: string; readonly email: string }): void {
  const known = storedUser(store);
  if (known.uuid !== uuid || known.email === email) return;
  const stored = storedFields(store, "questionnaireState");
  store.set("questionnaireState", JSON.stringify({ ...stored, user: { ...fieldsOf(stored["user"]), email } }));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object.assign({}, value);
}

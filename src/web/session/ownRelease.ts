/** Leads visitors to the release that they began on (decision 195). */
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import { releaseParameter } from "#core/release.ts";
import { readDevice } from "../device/device.ts";
import { readState } from "../device/storedState.ts";
import type { KeyValueStore } from "../device/storage.ts";
import { contextOf } from "./deviceContext.ts";
import type { Snapshot } from "./session.ts";
import { staysOnRelease } from "./staying.ts";

interface ServedPage {
  readonly compiled: CompiledQuestionnaire;
  readonly release: string;
  readonly rendered: Snapshot;
}

/** A page's address that asks the server for a release. */
export function asRelease(address: string, release: string): string {
  const { pathname, searchParams } = new URL(address, "http://here");
  searchParams.set(releaseParameter, release);
  return `${pathname}?${searchParams}`;
}

/**
 * The current page's address in the visitor's own release; null if the served release is the right one. If the address already asked for
 * a release, the server no longer has it, and the served one takes over.
 */
export function ownReleaseAddress({ compiled, release, rendered }: ServedPage, store: KeyValueStore, address: URL): string | null {
  if (address.searchParams.has(releaseParameter)) return null;
  const state = readState(store);
  if (state?.release === undefined || state.release === release) return null;
  const context = contextOf(rendered, readDevice(store) ?? {});
  return staysOnRelease({ compiled, release, context }, state) ? asRelease(address.pathname + address.search, state.release) : null;
}

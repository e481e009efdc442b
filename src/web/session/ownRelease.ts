/** The way to the release that somebody began on (decision 195). */
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import { releaseParameter } from "#core/release.ts";
import { readDevice } from "../device/device.ts";
import { readState } from "../device/keptState.ts";
import type { KeyValueStore } from "../device/storage.ts";
import { contextOf } from "./deviceContext.ts";
import type { Snapshot } from "./session.ts";
import { staysOnRelease } from "./staying.ts";

interface ServedPage {
  readonly compiled: CompiledQuestionnaire;
  readonly release: string;
  readonly rendered: Snapshot;
}

/** The address of a page of this site, to be served as a release. */
export function asRelease(address: string, release: string): string {
  const { pathname, searchParams } = new URL(address, "http://here");
  searchParams.set(releaseParameter, release);
  return `${pathname}?${searchParams}`;
}

/**
 * The address at which the page that shows comes as the visitor's own release; null when it need not. A server that was asked for that release
 * and does not have it served another: that one takes over.
 */
export function ownReleaseAddress({ compiled, release, rendered }: ServedPage, store: KeyValueStore, address: URL): string | null {
  if (address.searchParams.has(releaseParameter)) return null;
  const state = readState(store);
  if (state?.release === undefined || state.release === release) return null;
  const context = contextOf(rendered, readDevice(store) ?? {});
  return staysOnRelease({ compiled, release, context }, state) ? asRelease(address.pathname + address.search, state.release) : null;
}

/** What only a returning visitor's browser does before hydration. Loads when a state is stored. */
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { State } from "#core/questionnaire/state.ts";
import { releaseParameter } from "#core/release.ts";
import { readDevice } from "../device/device.ts";
import { readState } from "../device/readState.ts";
import type { KeyValueStore } from "../device/storage.ts";
import { asRelease } from "../navigation.ts";
import { contextOf } from "./deviceContext.ts";
import type { Snapshot } from "./session.ts";
import { staysOnRelease } from "./staying.ts";

export { readState };

interface ServedPage {
  readonly compiled: CompiledQuestionnaire;
  readonly release: string;
  readonly rendered: Snapshot;
}

/**
 * The current page's address in the release that the visitor began on (decision 195); null if the served release is the right one. If the
 * address already asked for a release, the server no longer has it, and the served one takes over.
 */
export function ownReleaseAddress(
  { compiled, release, rendered }: ServedPage,
  state: State | null,
  store: KeyValueStore,
  address: URL,
): string | null {
  if (address.searchParams.has(releaseParameter) || state === null) return null;
  const context = contextOf(rendered, readDevice(store) ?? {});
  return staysOnRelease({ compiled, release, context }, state) ? asRelease(address.pathname + address.search, state.release) : null;
}

/** The link for the first operator of an installation. */
import type { Settings } from "../../base/settings.ts";
import type { World } from "../../base/world.ts";
import type { Store } from "../../store/store.ts";
import { addressOfLink, createOperatorLink } from "./links.ts";
import { hasOperators } from "./operators.ts";

/** Creates a link that makes its user the first operator, and replaces an earlier one. Null when there is an operator already. */
export async function firstLink(parts: {
  readonly store: Store;
  readonly world: World;
  readonly settings: Settings;
}): Promise<string | null> {
  const { store, world, settings } = parts;
  if (await hasOperators(store.read)) return null;
  const { token } = await store.write((queries) =>
    createOperatorLink(queries, world, settings.secretKeys, { purpose: "first", operatorId: null }),
  );
  return addressOfLink(settings.publicUrl, token);
}

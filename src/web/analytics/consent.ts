/** The visitor's choice: asked for where the law wants it, kept six months, recorded on the server, told to everything that depends on it. */
import { createListeners } from "../listeners.ts";
import { allGrants, type ConsentChoice, consentChoiceSchema, consentTextVersion, type Grants, noGrants } from "#core/consent.ts";
import { marketingConsentCountries } from "#core/countries.ts";
import * as v from "valibot";
import type { Api } from "../api/client.ts";
import type { KeyValueStore } from "../device/storage.ts";

/** How long a choice holds, months: a refusal is not asked again before. */
const holdsMonths = 6;

export interface Consent {
  /** What is allowed now. Nothing while it is not known where the visitor is. */
  readonly grants: () => Grants;
  /** Whether the visitor has to be asked. */
  readonly asks: () => boolean;
  /** Whether there is nothing to ask, or no longer; not before it is known where the visitor is. */
  readonly settled: () => boolean;
  readonly subscribe: (changed: (grants: Grants) => void) => () => void;
  /** Tells the visitor's country; null for unknown, where the strictest rules apply. */
  readonly locate: (country: string | null) => void;
  readonly choose: (categories: Grants, source: ConsentChoice["source"]) => void;
  /** Records a choice that the server does not have yet. */
  readonly record: () => Promise<void>;
}

const keptSchema = v.pipe(v.string(), v.parseJson(), v.object({ ...consentChoiceSchema.entries, recorded: v.boolean() }));
type Kept = v.InferOutput<typeof keptSchema>;

export interface ConsentParts {
  readonly store: KeyValueStore;
  readonly api: Pick<Api, "call">;
  readonly now: () => Date;
  readonly uuid: () => string;
  /** The browser sends Global Privacy Control: it refuses advertising, whatever else was chosen (decision 134). */
  readonly refuses: boolean;
}

export function createConsent({ store, api, now, uuid, refuses }: ConsentParts): Consent {
  const listeners = createListeners<[Grants]>();
  /** Null before the answer. */
  let optIn: boolean | null = null;
  let recording: Promise<void> | null = null;

  function kept(): Kept | null {
    const read = v.safeParse(keptSchema, store.get("consent"));
    if (!read.success || read.output.textVersion !== consentTextVersion) return null;
    const until = new Date(read.output.at);
    until.setMonth(until.getMonth() + holdsMonths);
    return until > now() ? read.output : null;
  }
  function keep(choice: Kept) {
    store.set("consent", JSON.stringify(choice));
  }
  function grants(): Grants {
    const allowed = kept()?.categories ?? (optIn === false ? allGrants : noGrants);
    return refuses ? { ...allowed, marketing: false } : allowed;
  }
  function tell() {
    listeners.tell(grants());
  }

  async function sendRecord(): Promise<void> {
    const choice = kept();
    if (choice === null || choice.recorded) return;
    const { recorded: _recorded, ...body } = choice;
    await api.call("consent", { body });
    // Another choice may have been made meanwhile.
    if (kept()?.id === choice.id) keep({ ...choice, recorded: true });
  }

  const self: Consent = {
    grants,
    asks: () => optIn === true && kept() === null,
    settled: () => optIn === false || kept() !== null,
    subscribe: listeners.subscribe,
    locate(country) {
      optIn = country === null || marketingConsentCountries.has(country);
      // Records the browser's refusal where marketing would be on otherwise: allowed before, or by default because nobody is asked.
      if (refuses && (kept()?.categories.marketing ?? !optIn)) return self.choose(grants(), "gpc");
      tell();
    },
    choose(wanted, where) {
      const overruled = refuses && wanted.marketing;
      const categories = overruled ? { ...wanted, marketing: false } : wanted;
      const source = overruled ? "gpc" : where;
      keep({ id: uuid(), at: now().toISOString(), textVersion: consentTextVersion, categories, source, recorded: false });
      tell();
      void self.record();
    },
    record() {
      // What is not recorded now is with the next page or the next connection.
      recording ??= sendRecord()
        .catch(() => undefined)
        .finally(() => (recording = null));
      return recording;
    },
  };
  return self;
}

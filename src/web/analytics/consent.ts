/** The visitor's consent: asked for where the law requires it, stored for six months and recorded on the server. */
import { createListeners } from "../listeners.ts";
import { allGrants, type ConsentChoice, consentChoiceSchema, consentTextVersion, type Grants, noGrants } from "#core/consent.ts";
import { marketingConsentCountries } from "#core/countries.ts";
import * as v from "valibot";
import type { Api } from "../api/client.ts";
import type { KeyValueStore } from "../device/storage.ts";

/** How long a choice is valid, months. A refusal is not questioned earlier. */
const validMonths = 6;

export interface Consent {
  /** The current grants: the stored choice, else the default in this country. None until the country is known. */
  readonly grants: () => Grants;
  /** Whether the visitor has to be asked. */
  readonly asks: () => boolean;
  /** Whether the visitor has chosen or need not choose. False until the country lookup has ended. */
  readonly settled: () => boolean;
  readonly subscribe: (changed: (grants: Grants) => void) => () => void;
  /** Sets the visitor's country; null if unknown: then the strictest rules apply. */
  readonly locate: (country: string | null) => void;
  readonly choose: (categories: Grants, source: ConsentChoice["source"]) => void;
  /** To be called when another tab has stored a choice or cleared it: it holds here, too. */
  readonly chosenElsewhere: () => void;
  /** Records an unrecorded choice on the server. */
  readonly record: () => Promise<void>;
}

const storedChoiceSchema = v.pipe(v.string(), v.parseJson(), v.object({ ...consentChoiceSchema.entries, recorded: v.boolean() }));
type StoredChoice = v.InferOutput<typeof storedChoiceSchema>;

export interface ConsentParts {
  readonly store: KeyValueStore;
  readonly api: Pick<Api, "call">;
  readonly now: () => Date;
  readonly uuid: () => string;
  /** The browser sends Global Privacy Control, which refuses advertising whatever the visitor chose (decision 134). */
  readonly refuses: boolean;
}

export function createConsent({ store, api, now, uuid, refuses }: ConsentParts): Consent {
  const listeners = createListeners<[Grants]>();
  /** Whether the country requires opt-in; null until it is known. */
  let optIn: boolean | null = null;
  let recording: Promise<void> | null = null;

  function storedChoice(): StoredChoice | null {
    const read = v.safeParse(storedChoiceSchema, store.get("consent"));
    if (!read.success || read.output.textVersion !== consentTextVersion) return null;
    const until = new Date(read.output.at);
    until.setMonth(until.getMonth() + validMonths);
    return until > now() ? read.output : null;
  }
  function storeChoice(choice: StoredChoice) {
    store.set("consent", JSON.stringify(choice));
  }
  function grants(): Grants {
    const allowed = storedChoice()?.categories ?? (optIn === false ? allGrants : noGrants);
    return refuses ? { ...allowed, marketing: false } : allowed;
  }
  function notify() {
    listeners.notify(grants());
  }

  async function sendRecord(): Promise<void> {
    const choice = storedChoice();
    if (choice === null || choice.recorded) return;
    const { recorded: _recorded, ...body } = choice;
    await api.call("consent", { body });
    // The visitor may have chosen again meanwhile.
    if (storedChoice()?.id === choice.id) storeChoice({ ...choice, recorded: true });
  }

  // What was chosen for another wording, or longer ago than it is valid, allows nothing: `counting.ts` must not read it either.
  if (storedChoice() === null) store.remove("consent");

  const self: Consent = {
    grants,
    asks: () => optIn === true && storedChoice() === null,
    settled: () => optIn === false || storedChoice() !== null,
    subscribe: listeners.subscribe,
    locate(country) {
      optIn = country === null || marketingConsentCountries.has(country);
      // Records the browser's refusal if marketing would otherwise be on, by choice or by default.
      if (refuses && (storedChoice()?.categories.marketing ?? !optIn)) return self.choose(grants(), "gpc");
      notify();
    },
    chosenElsewhere: notify,
    choose(requested, requestSource) {
      const overruled = refuses && requested.marketing;
      const categories = overruled ? { ...requested, marketing: false } : requested;
      const source = overruled ? "gpc" : requestSource;
      storeChoice({ id: uuid(), at: now().toISOString(), textVersion: consentTextVersion, categories, source, recorded: false });
      notify();
      void self.record();
    },
    record() {
      // After a failure, the next page or the next connection records it.
      recording ??= sendRecord()
        .catch(() => undefined)
        .finally(() => (recording = null));
      return recording;
    },
  };
  return self;
}

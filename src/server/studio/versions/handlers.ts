/** Handlers of the calls in `studio/contract/versions.ts`. */
import { defaultVersion, embeddedVersion, everyVersion, isVersion, questionnaireFor, saleOf } from "#content/questionnaires/index.ts";
import { differences } from "#content/questionnaires/review/differences.ts";
import { type Locale, locales } from "#core/locales.ts";
import type { Version, versionsCalls } from "#studio/contract/versions.ts";
import { refuse } from "../../base/refusal.ts";
import type { ReleaseProof } from "../../releases/proofs.ts";
import type { Release } from "../../releases/releases.ts";
import { addRollout, currentRollouts, isOffered, latestRollouts } from "../../releases/rollouts.ts";
import { recordAction } from "../audit.ts";
import type { StudioHandlers } from "../handler.ts";

const mostHistory = 60;
/** The locale in which versions are compared. */
const told = "en-US";

export const versionsHandlers: StudioHandlers<typeof versionsCalls> = {
  versions: async (_call, { releases, rollouts, store }) => {
    const [shipped, proofs] = await Promise.all([releases.shipped(), releases.proofs(), rollouts.current()]);
    // Read fresh, so that an operator sees the weights just set.
    const [current, history] = await Promise.all([currentRollouts(store.read), latestRollouts(store.read, mostHistory)]);
    return {
      versions: everyVersion.map(({ id, hypothesis, changes, ...rest }) => {
        const release = shipped.find(({ version }) => version === id);
        return {
          version: id,
          hypothesis,
          changes,
          elsewhere: "externalSite" in rest ? rest.externalSite : null,
          release: release === undefined ? null : releaseOf(release, proofs),
        };
      }),
      // Setting weights does not change the order of locales.
      current: current.toSorted((a, b) => locales.indexOf(a.locale) - locales.indexOf(b.locale)),
      history: [...history],
    };
  },

  versionDifferences: async ({ input: { from, to } }) => {
    if (!isVersion(from) || !isVersion(to)) return refuse("notFound");
    return { lines: [...differences(questionnaireFor(from, told), questionnaireFor(to, told))] };
  },

  rolloutSet: async ({ input: { locale, weights, after, reason }, operator }, { store, world, questionnaires }) => {
    const given = Object.entries(weights).filter(([, weight]) => weight > 0);
    if (given.length === 0 || !given.every(([version]) => isOffered(version, questionnaires)))
      return refuse("invalidInput", { fields: { weights: "validator_format" } });
    const set = Object.fromEntries(given);
    const added = await store.write(async (queries) => {
      const before = (await currentRollouts(queries)).find((rollout) => rollout.locale === locale);
      if ((before?.number ?? 0) !== after) return false;
      if (!(await addRollout(queries, world, { locale, weights: set, after, by: operator.name, reason }))) return false;
      await recordAction(queries, world, {
        operator,
        action: "weights set",
        subject: `locale ${locale}`,
        before: before?.weights ?? {},
        after: set,
        reason,
      });
      return true;
    });
    return added ? { number: after + 1 } : refuse("newerExists");
  },
};

function releaseOf({ hash, version, number, at }: Release, proofs: ReadonlyMap<string, ReleaseProof>): Version["release"] {
  if (!isVersion(version)) return null;
  const definition = questionnaireFor(version, told);
  const sale = saleOf(version);
  const where = (named: Readonly<Record<Locale, string>>) => locales.filter((locale) => named[locale] === version);
  const proof = proofs.get(hash);
  return {
    hash,
    number,
    at,
    screens: definition.questions.length,
    theme: definition.theme,
    products: [...sale.products],
    provider: sale.provider ?? "paddlebilling",
    traits: traitsInWords(version),
    defaultIn: where(defaultVersion),
    embeddedIn: where(embeddedVersion),
    proof: proof === undefined ? null : { numbers: proof.numbers, faults: [...proof.faults], notes: [...proof.notes], at: proof.at },
  };
}

/** The traits that are set, in words: "skips email check". */
function traitsInWords(version: string): string[] {
  const own = everyVersion.find(({ id }) => id === version);
  if (own === undefined || !("traits" in own)) return [];
  return Object.entries(own.traits)
    .filter(([, value]) => value !== false)
    .map(([name, value]) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) + (value === true ? "" : ` ${value}`));
}

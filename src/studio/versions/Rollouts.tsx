/** Roll-outs: the weights of each locale, the form that sets them, and their history. */
import { type Locale, locales, localeTraits } from "#core/locales.ts";
import { type FormEvent, useState } from "react";
import { type Output, useAction } from "../client.ts";
import type { Rollout } from "../contract/versions.ts";
import { Button } from "../parts/Button.tsx";
import { ConfirmDialog } from "../parts/Dialog.tsx";
import { TextField } from "../parts/Field.tsx";
import { inWords } from "../parts/formats.ts";
import { Section } from "../parts/Panel.tsx";
import { Notice, Tag } from "../parts/Signs.tsx";
import { useMay } from "../shell/operator.ts";
import styles from "./versions.module.css";
import { sharesInWords, sharesOf, type Weights } from "./weights.ts";

type Found = Output<"versions">;
/** The weights that the dialog opens with. */
interface Proposed {
  readonly locale: Locale;
  readonly weights: Weights;
  /** The earlier roll-out they come from; null for other weights. */
  readonly from: Rollout | null;
}

export function Rollouts({ found }: { readonly found: Found }) {
  const [proposed, setProposed] = useState<Proposed | null>(null);
  const may = useMay("publisher");
  return (
    <>
      <Section title="Roll-out" says="of new visitors, percent">
        <p className="quiet small">Share of new visitors per locale. Who has started stays on the version they started.</p>
        <ul className={styles["locales"]}>
          {found.current.map((rollout) => (
            <li key={rollout.locale}>
              <span className="strong">{localesDrawnBy(rollout.locale).join(", ")}</span>
              <Shares weights={rollout.weights} />
              {may && (
                <Button
                  small
                  aria-label={`Set weights of ${rollout.locale}`}
                  onClick={() => setProposed({ locale: rollout.locale, weights: rollout.weights, from: null })}
                >
                  Set
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Ways back" says="takes effect within 5 s">
        <ul className={styles["history"]}>
          {found.history.map((rollout) => (
            <li key={`${rollout.locale} ${rollout.number}`}>
              <div>
                <p>
                  <span className="strong">{rollout.locale}</span> {sharesInWords(rollout.weights)}
                </p>
                <p className="quiet small">
                  {inWords.moment(rollout.at)} UTC, {rollout.by === null ? "as the settings have it" : `${rollout.by}: ${rollout.reason}`}
                </p>
              </div>
              <Way rollout={rollout} current={found.current} onBack={may ? setProposed : null} />
            </li>
          ))}
        </ul>
      </Section>
      {proposed !== null && <SetWeights found={found} proposed={proposed} onClose={() => setProposed(null)} />}
    </>
  );
}

/** The locales that a locale's weights apply to. */
const localesDrawnBy = (locale: Locale) => locales.filter((each) => localeTraits[each].backend === locale);

function Way({
  rollout,
  current,
  onBack,
}: {
  readonly rollout: Rollout;
  readonly current: readonly Rollout[];
  readonly onBack: ((proposed: Proposed) => void) | null;
}) {
  const { locale, number, weights } = rollout;
  if (current.some((each) => each.locale === locale && each.number === number)) return <Tag>current</Tag>;
  if (onBack === null) return null;
  return (
    <Button small aria-label={`Go back to ${locale} ${sharesInWords(weights)}`} onClick={() => onBack({ locale, weights, from: rollout })}>
      Go back…
    </Button>
  );
}

/** A labelled bar of the versions' shares. */
function Shares({ weights }: { readonly weights: Weights }) {
  const shares = sharesOf(weights);
  return (
    <div className={styles["bar"]} role="img" aria-label={sharesInWords(weights)}>
      {shares.map(({ version, share }) => (
        <span key={version} style={{ flexGrow: share }} title={`${version}: ${inWords.share(share, 0)}`}>
          {version}
          <i>{inWords.count(100 * share)}</i>
        </span>
      ))}
    </div>
  );
}

function SetWeights({ found, proposed, onClose }: { readonly found: Found; readonly proposed: Proposed; readonly onClose: () => void }) {
  const { locale, from } = proposed;
  const now = found.current.find((rollout) => rollout.locale === locale);
  const [weights, setWeights] = useState<Weights>(proposed.weights);
  const set = useAction("rolloutSet", { onDone: onClose });
  const nobody = sharesOf(weights).length === 0;
  const unsound = found.versions.filter(
    ({ version, release }) => (weights[version] ?? 0) > 0 && release !== null && (release.proof?.faults.length ?? 0) > 0,
  );
  return (
    <ConfirmDialog
      title={from === null ? `Set weights of ${locale}?` : `Go back to the weights of ${inWords.moment(from.at)} in ${locale}?`}
      consequences={[
        `Now: ${now === undefined ? "its default version" : sharesInWords(now.weights)}.`,
        nobody ? "Give at least one version a weight." : `Next: ${sharesInWords(weights)} of new visitors from now on.`,
        "Visitors who have started keep their version.",
      ]}
      verb={from === null ? "Set weights" : "Go back"}
      keep="Cancel"
      danger={false}
      busy={set.isPending}
      problem={set.error?.message ?? null}
      onDo={(reason) => {
        if (!nobody) set.mutate({ locale, weights: { ...weights }, after: now?.number ?? 0, reason });
      }}
      onClose={onClose}
    >
      {from === null && <Fields found={found} weights={weights} onChange={setWeights} />}
      {unsound.length > 0 && (
        <Notice tone="bad" title={`Not sound: ${unsound.map(({ version }) => version).join(", ")}`}>
          <p>The checker found a way on which a visitor is stuck. Look at the version before anybody is given it.</p>
        </Notice>
      )}
    </ConfirmDialog>
  );
}

function Fields({
  found,
  weights,
  onChange,
}: {
  readonly found: Found;
  readonly weights: Weights;
  readonly onChange: (weights: Weights) => void;
}) {
  const shares = sharesOf(weights);
  const typed = (version: string) => (event: FormEvent<HTMLInputElement>) => {
    const value = Math.round(Number(event.currentTarget.value));
    onChange({ ...weights, [version]: Number.isFinite(value) && value > 0 ? Math.min(value, 1_000) : 0 });
  };
  return (
    <div className={styles["fields"]}>
      {found.versions.map(({ version }) => {
        const share = shares.find((each) => each.version === version)?.share;
        return (
          <TextField
            key={version}
            label={version}
            type="number"
            inputMode="numeric"
            min={0}
            max={1_000}
            step={1}
            value={weights[version] ?? 0}
            hint={share === undefined ? "nobody" : `${inWords.share(share, 0)}`}
            onChange={typed(version)}
          />
        );
      })}
    </div>
  );
}

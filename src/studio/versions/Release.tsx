/** One version: its hypothesis, products, proof, and differences from another version. */
import { buildPath } from "#core/routes.ts";
import type { Locale } from "#core/locales.ts";
import { ExternalLink } from "lucide-react";
import { useCall } from "../client.ts";
import type { Version } from "../contract/versions.ts";
import { Select } from "../parts/Field.tsx";
import { When } from "../parts/Formats.tsx";
import { Chapters, Facts, Panel, Section } from "../parts/Panel.tsx";
import { Notice, Status } from "../parts/Signs.tsx";
import { Shown } from "../parts/State.tsx";
import styles from "./versions.module.css";

interface ReleaseProps {
  readonly one: Version;
  readonly all: readonly Version[];
  readonly locales: readonly Locale[];
  readonly against: string | undefined;
  readonly onAgainst: (version: string) => void;
  readonly onClose: () => void;
}

const chapters = [
  ["release", "Release"],
  ["proof", "Proof"],
  ["links", "As a visitor sees it"],
  ["differences", "Differences"],
] as const;

export function ReleasePanel({ one, all, locales, against, onAgainst, onClose }: ReleaseProps) {
  const { release } = one;
  return (
    <Panel
      title={`Version ${one.version}`}
      says={one.hypothesis}
      onClose={onClose}
      {...(release === null ? {} : { chapters: <Chapters of={chapters} /> })}
    >
      <Section anchor="release">
        <p className={styles["changes"]}>{one.changes}</p>
        {release === null ? (
          <p>
            It lives on another site: <a href={one.elsewhere ?? ""}>{one.elsewhere}</a>
          </p>
        ) : (
          <Facts
            rows={[
              ["Release", `${one.version}.${release.number}, ${release.hash.slice(0, 12)}`],
              ["Since", <When key="at" at={release.at} />],
              ["Screens", release.screens],
              ["Look", release.theme],
              ["Sells", `${release.products.join(", ")} (${release.provider})`],
              ["Default in", release.defaultIn.join(", ") || "no locale"],
              ["On the home page of", release.embeddedIn.join(", ") || "no locale"],
              ["Differs by", release.traits.join(", ") || "nothing but its questions"],
            ]}
          />
        )}
      </Section>
      {release !== null && (
        <>
          <Section anchor="proof" title="Proof" actions={<ProofStatus release={release} />}>
            <ProofSays release={release} />
          </Section>
          <Section anchor="links" title="As a visitor sees it">
            <ul className={styles["links"]}>
              {locales.map((locale) => (
                <li key={locale}>
                  <a href={buildPath("questionnaire/root", locale, { version: one.version })} target="_blank" rel="noreferrer">
                    {locale}
                    <ExternalLink size={13} aria-hidden="true" />
                  </a>
                </li>
              ))}
            </ul>
          </Section>
          <Section anchor="differences" title="Differences">
            <Differences one={one} all={all} against={against} onAgainst={onAgainst} />
          </Section>
        </>
      )}
    </Panel>
  );
}

type Own = NonNullable<Version["release"]>;

export function ProofStatus({ release: { proof } }: { readonly release: Own }) {
  if (proof === null) return <Status tone="run">Being proved</Status>;
  const { length } = proof.faults;
  return length === 0 ? <Status tone="good">Sound</Status> : <Status tone="bad">{length === 1 ? "1 fault" : `${length} faults`}</Status>;
}

function ProofSays({ release: { proof } }: { readonly release: Own }) {
  if (proof === null) return <p className="quiet small">Every way that a visitor can take is walked through. It takes some seconds.</p>;
  return (
    <>
      <p>{proof.numbers}.</p>
      {proof.faults.map((fault) => (
        <Notice key={fault} tone="bad">
          <pre className={styles["fault"]}>{fault}</pre>
        </Notice>
      ))}
      {proof.notes.map((note) => (
        <p key={note} className="quiet small">
          {note}
        </p>
      ))}
      <p className="quiet small">
        Proved <When at={proof.at} />, in every locale.
      </p>
    </>
  );
}

function Differences({ one, all, against, onAgainst }: Pick<ReleaseProps, "one" | "all" | "against" | "onAgainst">) {
  const others = all.filter(({ version, release }) => release !== null && version !== one.version);
  const chosen = others.some(({ version }) => version === against) ? against : others[0]?.version;
  const found = useCall("versionDifferences", { from: chosen ?? one.version, to: one.version });
  return (
    <>
      <Select label="Against" value={chosen} onChange={({ target }) => onAgainst(target.value)}>
        {others.map(({ version }) => (
          <option key={version}>{version}</option>
        ))}
      </Select>
      <Shown of={found}>
        {({ lines }) =>
          lines.length === 0 ? (
            <p className="quiet">They differ in nothing but their number.</p>
          ) : (
            <>
              <p className="quiet small">{lines.length === 1 ? "1 difference, in English" : `${lines.length} differences, in English`}</p>
              <ul className={styles["differences"]}>
                {lines.map((line, index) => (
                  <li key={index}>{line}</li>
                ))}
              </ul>
            </>
          )
        }
      </Shown>
    </>
  );
}

/** Details of one screen: picture, counts, answers, times, and who left. */
import { Link } from "@tanstack/react-router";
import { ChevronDown, ChevronUp, Play } from "lucide-react";
import { useState } from "react";
import { type Output, useCall } from "../client.ts";
import type { Step } from "../contract/funnel.ts";
import { numbers } from "../contract/numbers.ts";
import { buttonClass } from "../parts/Button.tsx";
import { inWords } from "../parts/formats.ts";
import { Facts, Panel, Section } from "../parts/Panel.tsx";
import { Segmented } from "../parts/Segmented.tsx";
import { Definition, Id } from "../parts/Signs.tsx";
import { Failed, Loading } from "../parts/State.tsx";
import { useMay } from "../shell/operator.ts";
import styles from "./funnel.module.css";
import { Picture } from "./Picture.tsx";
import { type FunnelSearch, ownFilter } from "./search.ts";
import { shareAt } from "./steps.ts";
import { TimesChart, TimesTable } from "./Times.tsx";

interface ScreenPanelProps {
  readonly version: string;
  readonly search: Omit<FunnelSearch, "screen">;
  readonly step: Step | null;
  readonly questionId: number;
  readonly onClose: () => void;
}

type Screen = Output<"funnelScreen">;

export function ScreenPanel({ version, search, step, questionId, onClose }: ScreenPanelProps) {
  const filter = ownFilter(search);
  const { data, error, refetch } = useCall("funnelScreen", { ...filter, version, questionId: String(questionId) });
  const mayWatch = useMay("support");
  const title = data?.title ?? step?.title ?? `Screen ${questionId}`;
  return (
    <Panel
      title={title}
      says={step === null ? "Nobody came here" : `${inWords.count(step.entered)} ${step.entered === 1 ? "visitor" : "visitors"} entered`}
      sign={<Id on>{questionId}</Id>}
      actions={
        <span className="row quiet tiny" aria-hidden="true">
          <ChevronUp size={13} /> K · J <ChevronDown size={13} />
        </span>
      }
      onClose={onClose}
    >
      {error !== null && (
        <Section>
          <Failed error={error} onRetry={() => void refetch()} />
        </Section>
      )}
      {data === undefined && error === null && (
        <Section>
          <Loading />
        </Section>
      )}
      {data !== undefined && (
        <>
          <Section>
            <div className={styles["top"]}>
              <div className={styles["phone"]}>
                <Picture src={data.picture} title={title} lazy />
              </div>
              {step !== null && <Happened step={step} />}
            </div>
            {mayWatch && step !== null && step.left > 0 && (
              <ToVisits left={step.left} watchable={data.watchable} search={{ ...filter, version, screen: String(questionId) }} />
            )}
          </Section>
          <Chosen screen={data} />
          <Times screen={data} />
          <LeftBy screen={data} />
        </>
      )}
    </Panel>
  );
}

interface ToVisitsProps {
  readonly left: number;
  readonly watchable: number;
  readonly search: Omit<FunnelSearch, "screen"> & { readonly version: string; readonly screen: string };
}

/** Link to the visits that ended here, or a note that none of them can be replayed. */
function ToVisits({ left, watchable, search }: ToVisitsProps) {
  if (watchable === 0)
    return <p className="quiet small">No visit can be watched: none of the {inWords.count(left)} who left here allowed statistics.</p>;
  return (
    <div className="row wrap">
      <Link className={buttonClass()} to="/funnel/visits" search={search}>
        <Play size={14} aria-hidden="true" /> Visits of the {inWords.count(left)} who left here
      </Link>
      <span className="quiet small">{inWords.count(watchable)} can be watched</span>
    </div>
  );
}

function Happened({ step: { entered, wentOn, left, stillThere, medianSeconds } }: { readonly step: Step }) {
  const withShare = (count: number) => {
    const share = shareAt(count, entered);
    return `${inWords.count(count)}${share === null ? "" : ` · ${inWords.share(share)}`}`;
  };
  return (
    <Facts
      rows={[
        ["Went on", withShare(wentOn)],
        ["Left", withShare(left)],
        ["Still there", withShare(stillThere)],
        ["Median time", medianSeconds === null ? "–" : inWords.lasting(medianSeconds * 1_000)],
      ]}
    />
  );
}

function Chosen({ screen: { answers, answered } }: { readonly screen: Screen }) {
  if (answers.length === 0) return null;
  const most = Math.max(1, ...answers.map(({ visitors }) => visitors));
  return (
    <Section
      title="Chosen here"
      says={`${inWords.count(answered)} visitors, by their last answer`}
      actions={<Definition of="chosen here">{numbers.answers}</Definition>}
    >
      <ul className={styles["rows"]}>
        {answers.map(({ option, words, visitors }) => {
          const share = shareAt(visitors, answered);
          return (
            <li key={option}>
              <span>{words}</span>
              <span className={styles["length"]} style={{ width: `${(100 * visitors) / most}%` }} />
              <b>{inWords.count(visitors)}</b>
              <span className="quiet">{share === null ? "" : inWords.share(share)}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function Times({ screen: { times, medianSeconds } }: { readonly screen: Screen }) {
  const [as, setAs] = useState<"chart" | "table">("chart");
  if (medianSeconds === null) return null;
  return (
    <Section
      title="Time on the screen"
      says="visitors who answered"
      actions={
        <Segmented
          label="Times as"
          value={as}
          options={[
            ["chart", "Chart"],
            ["table", "Table"],
          ]}
          onChange={setAs}
        />
      }
    >
      {as === "chart" ? <TimesChart times={times} medianSeconds={medianSeconds} /> : <TimesTable times={times} />}
    </Section>
  );
}

const cutNames = { platform: "device", country: "country", locale: "locale" } as const;

function LeftBy({ screen: { leftBy } }: { readonly screen: Screen }) {
  const [cut, setCut] = useState<keyof typeof cutNames>("platform");
  const rows = leftBy.filter(({ value }) => value === cut).toSorted((a, b) => b.left - a.left);
  return (
    <Section
      title="Who left"
      says="of those who came"
      actions={
        <Segmented
          label="By"
          value={cut}
          options={(["platform", "country", "locale"] as const).map((each) => [each, cutNames[each]])}
          onChange={setCut}
        />
      }
    >
      <ul className={styles["rows"]}>
        {rows.map(({ words, left, entered }) => {
          const share = shareAt(left, entered);
          return (
            <li key={words}>
              <span>{words === "-" ? "not known" : words}</span>
              <span className={styles["length"]} style={{ width: `${(100 * left) / Math.max(1, entered)}%` }} />
              <b>
                {inWords.count(left)} of {inWords.count(entered)}
              </b>
              <span className="quiet">{share === null ? "" : inWords.share(share)}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

import type { Counted, Step } from "../contract/funnel.ts";
import { Lasting, Share } from "../parts/Formats.tsx";
import { inWords } from "../parts/formats.ts";
import { Id } from "../parts/Signs.tsx";
import { type Column, Table } from "../parts/Table.tsx";
import styles from "./funnel.module.css";
import { comparedAt, shareAt, worstScreens } from "./steps.ts";
import { StepBar } from "./StepBar.tsx";

interface StepTableProps {
  readonly here: Counted;
  readonly beside: Counted | null;
  /** Labels of the two compared columns. */
  readonly sides: Readonly<Record<"here" | "beside", string>>;
  readonly chosen: number | null;
  readonly onChoose: (questionId: number) => void;
}

/** One row per screen, in the questionnaire's order. */
export function StepTable({ here, beside, sides, chosen, onChoose }: StepTableProps) {
  const most = Math.max(...here.steps.map(({ entered }) => entered));
  const worst = worstScreens(here.steps);
  const columns: readonly Column<Step>[] = [
    {
      key: "screen",
      head: "Screen",
      cell: (step) => (
        <span className={styles["name"]}>
          <Id on={step.questionId === chosen}>{step.questionId}</Id>
          <span>
            {step.title}
            <span className={styles["phoneOnly"]}>
              <StepBar step={step} most={most} worst={worst.has(step.questionId)} />
            </span>
          </span>
        </span>
      ),
    },
    {
      key: "bar",
      head: <Key most={most} />,
      width: "22%",
      wideOnly: true,
      cell: (step) => <StepBar step={step} most={most} worst={worst.has(step.questionId)} />,
    },
    { key: "entered", head: "Entered", end: true, wideOnly: beside !== null, cell: ({ entered }) => inWords.count(entered) },
    {
      key: "left",
      head: "Left",
      end: true,
      cell: ({ questionId, left }) => (
        <span className={worst.has(questionId) ? styles["lostCount"] : undefined}>{inWords.count(left)}</span>
      ),
    },
    {
      key: "there",
      head: <TwoLines words={["Still", "there"]} />,
      end: true,
      wideOnly: true,
      roomOnly: true,
      cell: ({ stillThere }) => inWords.count(stillThere),
    },
    {
      key: "on",
      head: <TwoLines words={["Went", "on"]} />,
      end: true,
      cell: ({ wentOn, entered }) => <Share value={shareAt(wentOn, entered)} />,
    },
    {
      key: "time",
      head: <TwoLines words={["Median", "time"]} />,
      end: true,
      wideOnly: true,
      roomOnly: true,
      cell: ({ medianSeconds }) => <Lasting ms={medianSeconds === null ? null : medianSeconds * 1_000} />,
    },
    ...(beside === null ? [] : comparedColumns(sides, beside)),
  ];
  return (
    <Table
      label={`Screens of version ${here.version}`}
      rows={here.steps}
      columns={columns}
      keyOf={({ questionId }) => String(questionId)}
      chosen={chosen === null ? null : String(chosen)}
      onChoose={({ questionId }) => onChoose(questionId)}
      keys
      dense
    />
  );
}

function Key({ most }: { readonly most: number }) {
  return (
    <span>
      <span className={styles["key"]}>
        <span>
          <i className={styles["on"]} />
          went on
        </span>
        <span>
          <i className={styles["left"]} />
          left
        </span>
        <span>
          <i className={styles["there"]} />
          still there
        </span>
      </span>
      <br />
      Full width: {inWords.count(most)} visitors
    </span>
  );
}

/** A column head in two lines, because it is wider than the numbers below. */
function TwoLines({ words: [first, second] }: { readonly words: readonly [string, string] }) {
  return (
    <>
      {first}
      <br />
      {second}
    </>
  );
}

function comparedColumns(sides: StepTableProps["sides"], beside: Counted): readonly Column<Step>[] {
  return [
    {
      key: "beside",
      head: <TwoLines words={[`${sides.beside} went`, "on"]} />,
      end: true,
      sunken: true,
      wideOnly: true,
      cell: (step) => <Share value={comparedAt(step, beside)?.share ?? null} />,
    },
    {
      key: "difference",
      head: <TwoLines words={[`${sides.beside} less`, `${sides.here}, pts`]} />,
      end: true,
      sunken: true,
      cell: (step) => {
        const compared = comparedAt(step, beside);
        if (compared === null) return <span className="quiet">–</span>;
        const { value, low, high } = compared.difference;
        const points = (share: number) => inWords.signed(100 * share);
        const tone = compared.certain ? styles[value > 0 ? "better" : "worse"] : undefined;
        return (
          <span className={tone} title={`${inWords.share(0.95, 0)}: ${points(low)} to ${points(high)}`}>
            {points(value)}
          </span>
        );
      },
    },
  ];
}

import { stageShares } from "#core/questionnaire/plan.ts";
import type { MailData } from "../contents.ts";
import { styles } from "./Layout.tsx";
import { colours } from "./looks.ts";

type Chart = NonNullable<MailData<"planKept">["plan"]>["chart"];

const label = { ...styles.quiet, margin: 0 } as const;
const bar = { height: "14px", lineHeight: "14px", fontSize: "1px", borderRadius: "7px" } as const;

/**
 * The stages from a level to the goal, with the program's stage filled. Made of tables, because no other drawing works in every mail
 * program.
 */
export function StageChart({ from, to, stages, stage, end }: Chart) {
  return (
    <>
      <table role="presentation" width="100%" cellPadding={0} cellSpacing={0} style={{ margin: "24px 0 8px" }}>
        <tbody>
          <tr>
            <td style={{ ...label, color: colours.text, fontWeight: 700, paddingRight: "16px" }}>{from}</td>
            <td style={{ ...label, textAlign: "right" }}>{to}</td>
          </tr>
        </tbody>
      </table>
      <table role="presentation" width="100%" cellPadding={0} cellSpacing={3} data-skip-in-text="true">
        <tbody>
          <tr>
            {stageShares(stages).map((share, index) => (
              <td key={share} height={14} style={{ ...bar, backgroundColor: index === 0 ? colours.primary : colours.line }}>
                {"\u00a0"}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      <p style={{ ...label, margin: "8px 0 24px" }}>
        {stage} · {end}
      </p>
    </>
  );
}

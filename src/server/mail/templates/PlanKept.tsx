import type { MailData } from "../contents.ts";
import { formatsFor } from "#core/formats.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { StageChart } from "./StageChart.tsx";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

/** To somebody who asked for their plan by mail: what was agreed, and the way back to the offer. */
export function PlanKept({ locale, say, data }: { readonly locale: Locale; readonly say: Say; readonly data: MailData<"planKept"> }) {
  const lines = [
    data.days !== null && say("planKept.days", { DAYS: data.days }),
    data.minutes !== null && say("planKept.minutes", { MINUTES: data.minutes }),
    data.plan !== undefined && say("planKept.hours", { HOURS: data.plan.hours, MONTHS: data.plan.months }),
    data.until !== null && say("planKept.end", { DATE: formatsFor(locale).longDate(data.until) }),
  ].filter((line) => line !== false);
  return (
    <Layout locale={locale} say={say} preview={say("planKept.preview")} title={say("planKept.title")} firstname={data.firstname}>
      <Text style={styles.text}>{say("planKept.text")}</Text>
      {lines.map((line) => (
        <Text key={line} style={{ ...styles.text, margin: "0 0 4px" }}>
          {line}
        </Text>
      ))}
      {data.plan !== undefined && <StageChart {...data.plan.chart} />}
      <MailButton href={data.link}>{say("planKept.button")}</MailButton>
      <LinkInWords href={data.link} say={say} />
      {data.plan?.calendar && <Text style={styles.quiet}>{say("planKept.calendar")}</Text>}
      <Text style={styles.quiet}>{say("planKept.only")}</Text>
    </Layout>
  );
}

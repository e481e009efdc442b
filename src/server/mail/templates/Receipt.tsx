import type { MailData } from "../contents.ts";
import { formatsFor } from "#core/formats.ts";
import type { Locale } from "#core/locales.ts";
import { parsePlan } from "#core/money.ts";
import { Column, Heading, Hr, Link, Row, Section, Text } from "@react-email/components";
import { colours, Layout, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

export function Receipt({ locale, say, data }: { readonly locale: Locale; readonly say: Say; readonly data: MailData<"receipt"> }) {
  const formats = formatsFor(locale);
  // With the currency's code, unless its sign is its own: seven currencies here are written with a dollar sign or none.
  const ownSign = data.currency === "EUR" || data.currency === "BRL";
  const amount = (minorUnits: number) => `${formats.money(minorUnits, data.currency)}${ownSign ? "" : ` ${data.currency}`}`;
  const { count, unit } = parsePlan(data.plan);
  const until = data.until === null ? "" : formats.longDate(data.until);
  const trial = data.trialDays > 0;
  const next =
    data.productType === "onetime"
      ? say("receipt.oneTime", { DATE: until })
      : trial
        ? say("receipt.trialThen", { DATE: until, PRICE: amount(data.price) })
        : say("receipt.renews", { DATE: until });
  const rows = [
    [say("receipt.item"), say(unit === "week" ? "receipt.weeks" : "receipt.months", { COUNT: count })],
    [say("receipt.date"), formats.longDate(data.paidOn)],
    [say("receipt.order"), data.orderId.slice(0, 8).toUpperCase()],
    [say("receipt.paid"), amount(trial ? 0 : data.price)],
  ] as const;
  return (
    <Layout locale={locale} say={say} preview={say("welcome.preview")} title={say("welcome.title")} firstname={data.firstname}>
      <Text style={styles.text}>{say("welcome.text")}</Text>
      {(["welcome.step1", "welcome.step2", "welcome.step3"] as const).map((step, index) => (
        <Text key={step} style={{ ...styles.text, margin: "0 0 8px" }}>
          <b style={{ color: colours.primary }}>{index + 1}.</b> {say(step)}
        </Text>
      ))}
      <MailButton href={data.appLink}>{say("welcome.button")}</MailButton>
      <Hr style={styles.rule} />
      <Heading as="h2" style={styles.subtitle}>
        {say("receipt.heading")}
      </Heading>
      <Section style={{ margin: "0 0 16px" }}>
        {rows.map(([label, value], index) => (
          <Row key={label}>
            <Column style={{ ...styles.quiet, padding: "6px 12px 6px 0", verticalAlign: "top" }}>{label}</Column>
            <Column
              align="right"
              style={{ ...styles.text, padding: "6px 0", verticalAlign: "top", fontWeight: index === rows.length - 1 ? 700 : 400 }}
            >
              {value}
            </Column>
          </Row>
        ))}
      </Section>
      {until === "" ? null : (
        <>
          {trial ? <Text style={styles.text}>{say("welcome.trial", { DATE: until })}</Text> : null}
          <Text style={styles.text}>{next}</Text>
        </>
      )}
      {data.productType === "subscription" ? (
        <Text style={styles.text}>
          <Link href={data.manageLink} style={{ color: colours.primary, fontWeight: 600 }}>
            {say("receipt.manage")}
          </Link>
        </Text>
      ) : null}
    </Layout>
  );
}

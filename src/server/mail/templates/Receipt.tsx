import type { MailData } from "../contents.ts";
import { formatsFor } from "#core/formats.ts";
import { moneyBackUntil } from "#core/offerDates.ts";
import type { Locale } from "#core/locales.ts";
import { Heading, Hr, Link, Text } from "@react-email/components";
import { Layout, MailButton, styles } from "./Layout.tsx";
import { colours } from "./looks.ts";
import { amountIn, receiptRows } from "./receiptRows.tsx";
import { Rows } from "./Rows.tsx";
import type { Say } from "./say.ts";

/** The first mail about a plan. It shows the first steps only to new customers. */
export function Receipt({ locale, say, data }: { readonly locale: Locale; readonly say: Say; readonly data: MailData<"receipt"> }) {
  const formats = formatsFor(locale);
  const amount = amountIn(locale, data.currency);
  const until = data.until === null ? "" : formats.longDate(data.until);
  const trial = data.trialDays > 0;
  const renews = data.productType === "subscription";
  const paid = data.paid ?? (trial ? 0 : data.price);
  const next = !renews
    ? say("receipt.oneTime", { DATE: until })
    : trial
      ? say("receipt.trialThen", { DATE: until, PRICE: amount(data.price) })
      : say("receipt.renews", { DATE: until });
  const beginning = data.isBack
    ? ({ preview: "welcome.back.preview", title: "welcome.back.title", text: "welcome.back.text" } as const)
    : ({ preview: "welcome.preview", title: "welcome.title", text: "welcome.text" } as const);
  return (
    <Layout locale={locale} say={say} preview={say(beginning.preview)} title={say(beginning.title)} firstname={data.firstname}>
      <Text style={styles.text}>{say(beginning.text)}</Text>
      {data.isBack
        ? null
        : (["welcome.step1", "welcome.step2", "welcome.step3"] as const).map((step, index) => (
            <Text key={step} style={{ ...styles.text, margin: "0 0 8px" }}>
              <b style={{ color: colours.primary }}>{index + 1}.</b> {say(step)}
            </Text>
          ))}
      <MailButton href={data.appLink}>{say("welcome.button")}</MailButton>
      <Hr style={styles.rule} />
      <Heading as="h2" style={styles.subtitle}>
        {say("receipt.heading")}
      </Heading>
      <Rows
        rows={receiptRows(locale, say, {
          ...data,
          on: data.paidOn,
          paid,
          withdrawal: data.withdrawUntil === null ? null : { until: data.withdrawUntil, link: data.withdrawLink },
          guarantee: paid === 0 ? "later" : moneyBackUntil(data.paidOn),
          access: renews || data.until === null ? null : { from: data.paidOn, until: data.until },
          next: renews && data.until !== null ? { on: data.until, price: data.price } : null,
        })}
      />
      {until === "" ? null : (
        <>
          {trial ? <Text style={styles.text}>{say("welcome.trial", { DATE: until })}</Text> : null}
          <Text style={styles.text}>{next}</Text>
        </>
      )}
      {renews ? (
        <Text style={styles.text}>
          <Link href={data.manageLink} style={{ color: colours.primary, fontWeight: 600 }}>
            {say("receipt.manage")}
          </Link>
        </Text>
      ) : null}
    </Layout>
  );
}

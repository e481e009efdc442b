import type { MailData } from "../contents.ts";
import { formatsFor } from "#core/formats.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import { amountIn } from "./receiptRows.tsx";
import type { Say } from "./say.ts";

/** Before a term renews: the day, the amount, and how to prevent it. */
export function RenewalReminder({
  locale,
  say,
  data,
}: {
  readonly locale: Locale;
  readonly say: Say;
  readonly data: MailData<"renewalReminder">;
}) {
  const values = {
    DATE: formatsFor(locale).longDate(data.renewsOn),
    PRICE: amountIn(locale, data.currency)(data.price),
    MONTHS: data.months,
  };
  return (
    <Layout locale={locale} say={say} preview={say("renewal.preview", values)} title={say("renewal.title")} firstname={data.firstname}>
      <Text style={styles.text}>{say("renewal.text", values)}</Text>
      <Text style={styles.text}>{say("renewal.stop", values)}</Text>
      <MailButton href={data.link}>{say("reminder.button")}</MailButton>
      <LinkInWords href={data.link} say={say} />
    </Layout>
  );
}

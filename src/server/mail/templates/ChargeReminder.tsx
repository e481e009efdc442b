import type { MailData } from "../contents.ts";
import { formatsFor } from "#core/formats.ts";
import type { Locale } from "#core/locales.ts";
import { currencyCode } from "#core/terms.ts";
import { Text } from "@react-email/components";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

/** Before a trial ends: the amount, the day, and how to prevent the charge. */
export function ChargeReminder({
  locale,
  say,
  data,
}: {
  readonly locale: Locale;
  readonly say: Say;
  readonly data: MailData<"chargeReminder">;
}) {
  const { longDate, money } = formatsFor(locale);
  const code = currencyCode(data.currency);
  const values = { DATE: longDate(data.chargedOn), PRICE: `${money(data.price, data.currency)}${code === null ? "" : `\u00a0${code}`}` };
  return (
    <Layout locale={locale} say={say} preview={say("reminder.preview", values)} title={say("reminder.title")} firstname={data.firstname}>
      <Text style={styles.text}>{say("reminder.text", values)}</Text>
      <Text style={styles.text}>{say("reminder.stop")}</Text>
      <MailButton href={data.link}>{say("reminder.button")}</MailButton>
      <LinkInWords href={data.link} say={say} />
    </Layout>
  );
}

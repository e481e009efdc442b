import type { MailData } from "../contents.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { hour, linkLife } from "../../base/linkLife.ts";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

export function ConfirmEmail({
  locale,
  say,
  data,
}: {
  readonly locale: Locale;
  readonly say: Say;
  readonly data: MailData<"confirmEmail">;
}) {
  return (
    <Layout locale={locale} say={say} preview={say("confirm.preview")} title={say("confirm.title")} firstname={data.firstname}>
      <Text style={styles.text}>{say("confirm.text")}</Text>
      <MailButton href={data.link}>{say("confirm.button")}</MailButton>
      <Text style={styles.quiet}>{say("confirm.life", { HOURS: linkLife.confirm / hour })}</Text>
      <LinkInWords href={data.link} say={say} />
      <Text style={styles.quiet}>{say("mail.ignore")}</Text>
    </Layout>
  );
}

import type { MailData } from "../contents.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { linkLife, minute } from "../../base/linkLife.ts";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

export function ResetPassword({
  locale,
  say,
  data,
}: {
  readonly locale: Locale;
  readonly say: Say;
  readonly data: MailData<"resetPassword">;
}) {
  return (
    <Layout locale={locale} say={say} preview={say("reset.preview")} title={say("reset.title")} firstname={data.firstname}>
      <Text style={styles.text}>{say("reset.text")}</Text>
      <MailButton href={data.link}>{say("reset.button")}</MailButton>
      <Text style={styles.quiet}>{say("reset.life", { MINUTES: linkLife.reset / minute })}</Text>
      <LinkInWords href={data.link} say={say} />
      <Text style={styles.quiet}>{say("mail.ignore")}</Text>
    </Layout>
  );
}

import type { MailData } from "../contents.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { Layout, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

/** To an address without an account. Only the mailbox's owner may learn that there is none, so the mail says it and the page does not. */
export function LoginUnknown({
  locale,
  say,
  data,
}: {
  readonly locale: Locale;
  readonly say: Say;
  readonly data: MailData<"loginUnknown">;
}) {
  return (
    <Layout locale={locale} say={say} preview={say("loginUnknown.preview")} title={say("loginUnknown.title")} firstname={null}>
      <Text style={styles.text}>{say("loginUnknown.text")}</Text>
      <MailButton href={data.link}>{say("loginUnknown.button")}</MailButton>
      <Text style={styles.quiet}>{say("mail.ignore")}</Text>
    </Layout>
  );
}

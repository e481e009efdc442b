import type { MailData } from "../contents.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

/** To the account's new address. */
export function EmailIsNew({ locale, say, data }: { readonly locale: Locale; readonly say: Say; readonly data: MailData<"emailIsNew"> }) {
  return (
    <Layout locale={locale} say={say} preview={say("emailIsNew.text")} title={say("emailIsNew.subject")} firstname={data.firstname}>
      <Text style={styles.text}>{say("emailIsNew.text")}</Text>
      <Text style={styles.text}>{say("emailIsNew.devices")}</Text>
      <MailButton href={data.link}>{say("emailIsNew.button")}</MailButton>
      <LinkInWords href={data.link} say={say} />
    </Layout>
  );
}

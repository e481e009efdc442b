import type { MailData } from "../contents.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

export function PayLink({ locale, say, data }: { readonly locale: Locale; readonly say: Say; readonly data: MailData<"payLink"> }) {
  return (
    <Layout locale={locale} say={say} preview={say("payLink.preview")} title={say("payLink.title")} firstname={data.firstname}>
      <Text style={styles.text}>{say("payLink.text")}</Text>
      <MailButton href={data.link}>{say("payLink.button")}</MailButton>
      <LinkInWords href={data.link} say={say} />
      <Text style={styles.quiet}>{say("mail.ignore")}</Text>
    </Layout>
  );
}

import type { MailData } from "../contents.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { hour, linkLife } from "../../base/linkLife.ts";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

/** To the account's current address when another one is requested. The link undoes the change, even after the new address was confirmed. */
export function EmailChange({ locale, say, data }: { readonly locale: Locale; readonly say: Say; readonly data: MailData<"emailChange"> }) {
  return (
    <Layout locale={locale} say={say} preview={say("emailChange.preview")} title={say("emailChange.title")} firstname={data.firstname}>
      <Text style={styles.text}>{say("emailChange.text")}</Text>
      <Text style={styles.text}>{say("emailChange.notYou")}</Text>
      <MailButton href={data.link}>{say("emailChange.button")}</MailButton>
      <Text style={styles.quiet}>{say("emailChange.life", { DAYS: linkLife.undo / (24 * hour) })}</Text>
      <LinkInWords href={data.link} say={say} />
    </Layout>
  );
}

import type { MailData } from "../contents.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { linkLife, minute } from "../../base/linkLife.ts";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import { MailCode } from "./MailCode.tsx";
import type { Say } from "./say.ts";

/** A button for this device, and a code for an app's browser or another device. No code if the account has used up its tries. */
export function LoginLink({ locale, say, data }: { readonly locale: Locale; readonly say: Say; readonly data: MailData<"loginLink"> }) {
  return (
    <Layout locale={locale} say={say} preview={say("loginLink.preview")} title={say("loginLink.title")} firstname={data.firstname}>
      <Text style={styles.text}>{say("loginLink.text")}</Text>
      <MailButton href={data.link}>{say("loginLink.button")}</MailButton>
      <MailCode code={data.code} label={say("loginLink.code")} />
      {data.unconfirmed && <Text style={styles.text}>{say("loginLink.unconfirmed")}</Text>}
      <Text style={styles.quiet}>
        {say(data.code === null ? "loginLink.lifeWithoutCode" : "loginLink.life", { MINUTES: linkLife.login / minute })}
      </Text>
      <LinkInWords href={data.link} say={say} />
      <Text style={styles.quiet}>{say("mail.ignore")}</Text>
    </Layout>
  );
}

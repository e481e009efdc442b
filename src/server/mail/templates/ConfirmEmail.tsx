import type { MailData } from "../contents.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { hour, linkLife } from "../../base/linkLife.ts";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import { MailCode } from "./MailCode.tsx";
import type { Say } from "./say.ts";

/** A button for the browser that signed up, and a code to type there when the mail opens elsewhere (decision 224). */
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
      <MailCode code={data.code} label={say("confirm.code")} />
      <Text style={styles.quiet}>
        {say(data.code === null ? "confirm.life" : "confirm.lifeWithCode", { HOURS: linkLife.confirm / hour })}
      </Text>
      <LinkInWords href={data.link} say={say} />
      <Text style={styles.quiet}>{say("mail.ignore")}</Text>
    </Layout>
  );
}

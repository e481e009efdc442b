import type { MailData } from "../contents.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { hour, linkLife } from "../../base/linkLife.ts";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

/** To an account's new address. It may be a stranger's, so the mail shows no name: somebody else may have chosen it. */
export function ConfirmChange({
  locale,
  say,
  data,
}: {
  readonly locale: Locale;
  readonly say: Say;
  readonly data: MailData<"confirmChange">;
}) {
  return (
    <Layout locale={locale} say={say} preview={say("confirmChange.preview")} title={say("confirmChange.title")} firstname={null}>
      <Text style={styles.text}>{say("confirmChange.text")}</Text>
      <Text style={styles.text}>{say("confirmChange.notYou")}</Text>
      <MailButton href={data.link}>{say("confirmChange.button")}</MailButton>
      <Text style={styles.quiet}>{say("confirmChange.device")}</Text>
      <Text style={styles.quiet}>{say("confirm.life", { HOURS: linkLife.change / hour })}</Text>
      <LinkInWords href={data.link} say={say} />
    </Layout>
  );
}

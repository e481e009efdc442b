import type { MailData } from "../contents.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

/** After a reset: an owner who did not request it learns of it, and can set another password. */
export function PasswordChanged({
  locale,
  say,
  data,
}: {
  readonly locale: Locale;
  readonly say: Say;
  readonly data: MailData<"passwordChanged">;
}) {
  return (
    <Layout
      locale={locale}
      say={say}
      preview={say("passwordChanged.preview")}
      title={say("passwordChanged.title")}
      firstname={data.firstname}
    >
      <Text style={styles.text}>{say("passwordChanged.text")}</Text>
      <Text style={styles.text}>{say("passwordChanged.notYou")}</Text>
      <MailButton href={data.link}>{say("passwordChanged.button")}</MailButton>
      <LinkInWords href={data.link} say={say} />
    </Layout>
  );
}

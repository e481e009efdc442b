import type { MailData } from "../contents.ts";
import type { Locale } from "#core/locales.ts";
import { Link, Text } from "@react-email/components";
import { Layout, MailButton, styles } from "./Layout.tsx";
import { colours } from "./looks.ts";
import type { Say } from "./say.ts";

/** To an account's previous address: an owner who did not change it learns of it, and can still write to us from there. */
export function EmailChanged({
  locale,
  say,
  data,
}: {
  readonly locale: Locale;
  readonly say: Say;
  readonly data: MailData<"emailChanged">;
}) {
  return (
    <Layout locale={locale} say={say} preview={say("emailChanged.preview")} title={say("emailChanged.title")} firstname={data.firstname}>
      <Text style={styles.text}>{say("emailChanged.text")}</Text>
      <Text style={styles.text}>{say("emailChanged.notYou")}</Text>
      <MailButton href={data.link}>{say("emailChanged.button")}</MailButton>
      <Text style={styles.quiet}>
        <Link href={data.link} style={{ color: colours.primary }}>
          {data.link.replace("mailto:", "")}
        </Link>
      </Text>
    </Layout>
  );
}

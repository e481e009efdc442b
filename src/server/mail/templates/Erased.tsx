import type { MailData } from "../contents.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { Layout, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

/** Confirms that an account was erased and that nothing more is charged. It is the last mail. */
export function Erased({ locale, say, data }: { readonly locale: Locale; readonly say: Say; readonly data: MailData<"erased"> }) {
  return (
    <Layout locale={locale} say={say} preview={say("erased.text")} title={say("erased.subject")} firstname={data.firstname}>
      <Text style={styles.text}>{say("erased.text")}</Text>
      <Text style={styles.text}>{say("erased.last")}</Text>
    </Layout>
  );
}

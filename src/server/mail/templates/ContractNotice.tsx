import type { MailData } from "../contents.ts";
import { formatsFor, momentIn } from "#core/formats.ts";
import type { Locale } from "#core/locales.ts";
import { Text } from "@react-email/components";
import { Layout, MailButton, styles } from "./Layout.tsx";
import { Rows } from "./Rows.tsx";
import type { Say } from "./say.ts";
import { typed } from "./typed.ts";

/** Confirms that a cancellation or withdrawal arrived, when, and what it says. */
export function ContractNotice({
  locale,
  say,
  data,
}: {
  readonly locale: Locale;
  readonly say: Say;
  readonly data: MailData<"contractNotice">;
}) {
  const { longDate } = formatsFor(locale);
  const at = momentIn(locale, data.at, data.timeZone);
  const cancels = data.kind === "cancel";
  const rows: readonly (readonly [string, string])[] = [
    [say("notice.statement"), say(cancels && data.forCause ? "notice.cause.statement" : `notice.${data.kind}.statement`)],
    ...(cancels
      ? ([
          [say("notice.when"), data.notBefore === null ? say("notice.soonest") : say("notice.later", { DATE: longDate(data.notBefore) })],
        ] as const)
      : []),
    ...(data.reason === null ? [] : ([[say("notice.reason"), typed(data.reason)]] as const)),
    [say("notice.contract"), typed(data.contract)],
    [say("notice.name"), typed(data.name)],
    [say("notice.email"), typed(data.email)],
    [say("notice.number"), data.id],
  ];
  return (
    <Layout
      locale={locale}
      say={say}
      preview={say("notice.preview", { AT: at })}
      title={say(`notice.${data.kind}.subject`)}
      firstname={null}
    >
      <Text style={styles.text}>{say("notice.text", { AT: at })}</Text>
      <Rows rows={rows} />
      <Text style={styles.text}>{say(`notice.${data.kind}.next`)}</Text>
      <Text style={styles.quiet}>{say("notice.notYou")}</Text>
      <MailButton href={data.link}>{say("notice.button")}</MailButton>
    </Layout>
  );
}

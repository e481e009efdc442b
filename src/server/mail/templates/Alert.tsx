import { brand } from "#content/brand.ts";
import { Text } from "@react-email/components";
import type { MailData } from "../contents.ts";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

type Data = MailData<"alert">;

export const alertSubject = ({ rule, began }: Data): string => `${brand.name}: ${rule}${began ? "" : " – over"}`;

/** To operators, in English like the studio. */
export function Alert({ say, data }: { readonly say: Say; readonly data: Data }) {
  const { says, began, at, link } = data;
  const since = `${began ? "Begun" : "Over since"} ${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC.`;
  return (
    <Layout locale="en-US" say={say} preview={says} title={alertSubject(data)} firstname={null}>
      <Text style={styles.text}>{says}</Text>
      <Text style={styles.text}>{since}</Text>
      <MailButton href={link}>Open Operations</MailButton>
      <LinkInWords href={link} say={say} />
    </Layout>
  );
}

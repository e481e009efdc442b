import { brand } from "#content/brand.ts";
import { Text } from "@react-email/components";
import type { MailData } from "../contents.ts";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";

type Data = MailData<"operatorLink">;

export const operatorLinkSubject = ({ purpose }: Data): string =>
  purpose === "invitation" ? `You are invited to the ${brand.name} studio` : `Your link to the ${brand.name} studio`;

/** To operators, in English like the studio. */
export function OperatorLink({ say, data }: { readonly say: Say; readonly data: Data }) {
  const { purpose, invitedBy, link } = data;
  const text =
    purpose === "invitation"
      ? `${invitedBy ?? "Somebody"} invites you to the studio, where the ${brand.name} funnel is run. The link works once, for 3 days.`
      : "This link signs you in to the studio. It works once, for 15 minutes.";
  return (
    <Layout locale="en-US" say={say} preview={text} title={operatorLinkSubject(data)} firstname={null}>
      <Text style={styles.text}>{text}</Text>
      <MailButton href={link}>{purpose === "invitation" ? "Accept the invitation" : "Sign in"}</MailButton>
      <LinkInWords href={link} say={say} />
      <Text style={styles.quiet}>If you didn’t expect this, do nothing: without a click, nothing happens.</Text>
    </Layout>
  );
}

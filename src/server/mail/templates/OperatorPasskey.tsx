import { brand } from "#content/brand.ts";
import { Text } from "@react-email/components";
import type { MailData } from "../contents.ts";
import { Layout, LinkInWords, MailButton, styles } from "./Layout.tsx";
import type { Say } from "./say.ts";
import { typed } from "./typed.ts";

type Data = MailData<"operatorPasskey">;

export const operatorPasskeySubject = ({ done }: Data): string => `A passkey was ${done} in the ${brand.name} studio`;

/** To the passkey's owner, an operator: in English like the studio. */
export function OperatorPasskey({ say, data }: { readonly say: Say; readonly data: Data }) {
  const { done, name, browser, at, link } = data;
  const when = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const text =
    done === "added"
      ? `From now on, the passkey “${typed(name)}” signs in to the studio as you.`
      : `The passkey “${typed(name)}” no longer signs in to the studio as you.`;
  return (
    <Layout locale="en-US" say={say} preview={text} title={operatorPasskeySubject(data)} firstname={null}>
      <Text style={styles.text}>{text}</Text>
      <Text style={styles.text}>{`${when} UTC, ${browser}.`}</Text>
      <MailButton href={link}>See your passkeys and sessions</MailButton>
      <LinkInWords href={link} say={say} />
      <Text style={styles.quiet}>
        If this wasn’t you, end the other sessions there, remove any passkeys you don’t recognize, and tell whoever runs the studio right
        away.
      </Text>
    </Layout>
  );
}

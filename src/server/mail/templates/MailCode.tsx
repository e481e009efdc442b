import { Text } from "@react-email/components";
import { styles } from "./Layout.tsx";
import { colours } from "./looks.ts";

const codeStyle = { ...styles.text, fontSize: "32px", lineHeight: "40px", fontWeight: 700, letterSpacing: "6px", color: colours.primary };

/** The code below a link's button; nothing if the account has used up its tries. */
export function MailCode({ code, label }: { readonly code: string | null; readonly label: string }) {
  if (code === null) return null;
  return (
    <>
      <Text style={{ ...styles.text, margin: "0 0 4px" }}>{label}</Text>
      <Text style={codeStyle}>{code}</Text>
    </>
  );
}

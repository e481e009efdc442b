/** The layout of all mails, in HTML that mail programs understand. `looks.ts` replaces the colours for another theme. */
import { brand } from "#content/brand.ts";
import type { Locale } from "#core/locales.ts";
import { Body, Button, Container, Head, Heading, Hr, Html, Link, Preview, Section, Text } from "@react-email/components";
import type { CSSProperties, ReactNode } from "react";
import { colours } from "./looks.ts";
import type { Say } from "./say.ts";

const textFont = "Figtree, 'Helvetica Neue', Helvetica, Arial, sans-serif";
const headFont = `'Bricolage Grotesque', ${textFont}`;

export const styles = {
  text: { margin: "0 0 16px", fontFamily: textFont, fontSize: "16px", lineHeight: "24px", color: colours.text },
  quiet: { margin: "0 0 8px", fontFamily: textFont, fontSize: "14px", lineHeight: "21px", color: colours.quiet },
  title: { margin: "0 0 16px", fontFamily: headFont, fontSize: "28px", lineHeight: "32px", fontWeight: 700, color: colours.text },
  subtitle: { margin: "8px 0 12px", fontFamily: headFont, fontSize: "18px", lineHeight: "24px", fontWeight: 700, color: colours.text },
  button: {
    display: "inline-block",
    padding: "16px 28px",
    borderRadius: "14px",
    backgroundColor: colours.primary,
    color: colours.onPrimary,
    fontFamily: textFont,
    fontSize: "18px",
    lineHeight: "24px",
    fontWeight: 700,
    textDecoration: "none",
    textAlign: "center",
  },
  rule: { margin: "24px 0", borderTop: `1px solid ${colours.line}` },
} as const satisfies Record<string, CSSProperties>;

/** The logo's two bubbles, made of rounded corners, because many mailboxes block pictures. */
function Logo() {
  const bubble = (size: number, colour: string, corners: string, more: CSSProperties = {}): CSSProperties => ({
    display: "inline-block",
    width: size,
    height: size,
    backgroundColor: colour,
    borderRadius: corners,
    verticalAlign: "middle",
    fontSize: 0,
    lineHeight: 0,
    ...more,
  });
  return (
    <Text
      style={{
        margin: "0 0 24px",
        fontFamily: headFont,
        fontSize: "26px",
        lineHeight: "32px",
        fontWeight: 700,
        letterSpacing: "-0.5px",
        color: colours.text,
      }}
    >
      <span style={bubble(22, colours.primary, "11px 11px 11px 3px")} />
      <span style={bubble(15, colours.accent, "8px 8px 3px 8px", { margin: "12px 0 0 -8px", border: `2px solid ${colours.page}` })} />
      <span style={{ verticalAlign: "middle" }}>&nbsp;{brand.name.toLowerCase()}</span>
    </Text>
  );
}

export function MailButton({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <Section style={{ margin: "24px 0" }}>
      <Button href={href} style={styles.button}>
        {children}
      </Button>
    </Section>
  );
}

/** The button's address as text, for mail programs that do not show the button. */
export function LinkInWords({ href, say }: { readonly href: string; readonly say: Say }) {
  return (
    <Text style={styles.quiet}>
      {say("mail.linkHint")}
      <br />
      <Link href={href} style={{ color: colours.primary, wordBreak: "break-all" }}>
        {href}
      </Link>
    </Text>
  );
}

const linked = /[/:@\\\p{Bidi_Control}]|[.\u3002][\p{L}\p{N}]{2}|www/iu;
/** Amounts, telephone numbers and line breaks. */
const advertising = /[\p{Sc}\p{Zl}\p{Zp}]|\p{N}[\s.-]?\p{N}/u;

/**
 * Whether a first name can be shown. Strangers can send a mail to anybody with a "name" of their choice, so a name that could become a link
 * or an advertisement is omitted.
 */
function isName(firstname: string | null): firstname is string {
  const name = firstname?.normalize("NFKC") ?? "";
  return /\p{L}/u.test(name) && !linked.test(name) && !advertising.test(name);
}

export function Layout({
  locale,
  say,
  preview,
  title,
  firstname,
  children,
}: {
  readonly locale: Locale;
  readonly say: Say;
  readonly preview: string;
  readonly title: string;
  readonly firstname: string | null;
  readonly children: ReactNode;
}) {
  const { company } = brand;
  return (
    <Html lang={locale} dir="ltr">
      <Head>
        <meta name="color-scheme" content="light" />
        <meta name="supported-color-schemes" content="light" />
      </Head>
      <Preview>{preview.charAt(0).toUpperCase() + preview.slice(1)}</Preview>
      <Body style={{ margin: 0, padding: "32px 12px", backgroundColor: colours.page }}>
        <Container style={{ maxWidth: "560px", margin: "0 auto" }}>
          <Logo />
          <Section
            style={{ padding: "32px 28px", backgroundColor: colours.surface, border: `1px solid ${colours.line}`, borderRadius: "20px" }}
          >
            <Heading as="h1" style={styles.title}>
              {title}
            </Heading>
            <Text style={styles.text}>
              {isName(firstname) ? say("mail.greeting", { FIRSTNAME: firstname }) : say("mail.greetingPlain")}
            </Text>
            {children}
            <Hr style={styles.rule} />
            <Text style={{ ...styles.text, margin: 0 }}>{say("mail.sign")}</Text>
          </Section>
          <Section style={{ padding: "20px 28px 0" }}>
            <Text style={styles.quiet}>{say("mail.footer.help")}</Text>
            <Text style={styles.quiet}>{say("mail.footer.why")}</Text>
            <Text style={styles.quiet}>{[company.name, ...company.address, company.country].join(", ")}</Text>
          </Section>
        </Container>
      </Body>
    </Html>
  );
}

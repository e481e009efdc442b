/** Sends mails by SMTP, or stores them in the development mailbox. */
import { createTransport } from "nodemailer";
import type { Attachment } from "#core/mail.ts";

interface OutgoingMail {
  /** The same for every try, so that a mailbox recognises duplicates. */
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly language: string;
  readonly attachments: readonly Attachment[];
}

/** A mail that will never be accepted: the address or the message is refused. */
export class PermanentMailFailure extends Error {}

export interface MailTransport {
  /**
   * Resolves when the server has accepted the mail. Throws PermanentMailFailure when it never will, any other error when it may later. The
   * signal aborts the try and frees its connection.
   */
  readonly send: (mail: OutgoingMail, signal?: AbortSignal) => Promise<void>;
  readonly close: () => void;
}

/** Time limits for a server, ms: for accepting a connection and greeting; between two lines. */
interface SmtpPatience {
  readonly connectMs: number;
  readonly silenceMs: number;
}
const smtpPatience: SmtpPatience = { connectMs: 10_000, silenceMs: 20_000 };
/** Most mails sent at the same time, each on its own connection. */
export const mailsAtOnce = 8;

const isThisMachine = (host: string): boolean => host === "localhost" || host === "[::1]" || host.startsWith("127.");

/**
 * Whether a server refused this recipient or this message for good. An earlier refusal (no service here, a wrong password, no mails from this sender) has
 * nothing to do with this mail. Then the mail is tried again, until somebody has corrected the cause.
 */
function isOfThisMail(error: unknown): error is Error {
  return (
    error instanceof Error &&
    "permanent" in error &&
    error.permanent === true &&
    "command" in error &&
    (error.command === "RCPT TO" || error.command === "DATA")
  );
}

function optionsOf(url: string, { connectMs, silenceMs }: SmtpPatience) {
  return {
    url,
    requireTLS: !isThisMachine(new URL(url).hostname),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Connects and greets as for a mail, but sends nothing. Throws as sending would. */
export async function greetMailServer(url: string, patience: SmtpPatience = smtpPatience): Promise<void> {
  const transport = createTransport(optionsOf(url, patience));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** @param url `smtp://user:password@host:587` or `smtps://…`. Nothing is sent unencrypted to another machine. */
export function smtpTransport(url: string, patience: SmtpPatience = smtpPatience): MailTransport {
  const transport = createTransport({ ...optionsOf(url, patience), pool: true, maxConnections: mailsAtOnce });
  return {
    send: async ({ messageId, from, to, subject, html, text, language, attachments }, signal) => {
      try {
        await transport.sendMail({
          messageId,
          from,
          to: { name: "", address: to },
          subject,
          html,
          text,
          // As bytes, because line ends of text may be changed on the way.
          attachments: attachments.map((attachment) => ({ ...attachment, contentTransferEncoding: "base64" })),
          ...(signal === undefined ? {} : { signal }),
          headers: { "Content-Language": language, "Auto-Submitted": "auto-generated" },
        });
      } catch (error) {
        if (isOfThisMail(error)) throw new PermanentMailFailure(error.message, { cause: error });
        throw error;
      }
    },
    close: () => transport.close(),
  };
}

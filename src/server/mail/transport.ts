/** How mails are sent: by SMTP, or in development into the site's own mailbox. */
import { createTransport } from "nodemailer";
import type { Attachment } from "#core/mail.ts";

interface OutgoingMail {
  /** The same for every try, so that a mailbox recognises a repetition. */
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly language: string;
  readonly attachments: readonly Attachment[];
}

/** Sending again would end the same way: the address or the message is refused. */
export class PermanentMailFailure extends Error {}

export interface MailTransport {
  /**
   * Resolves when the server has taken the mail. Throws PermanentMailFailure when it never will, anything else when it may later. The signal
   * breaks off the try and frees its connection.
   */
  readonly send: (mail: OutgoingMail, signal?: AbortSignal) => Promise<void>;
  readonly close: () => void;
}

/** How long a server may take, ms: to accept a connection and greet; between two lines. */
interface SmtpPatience {
  readonly connectMs: number;
  readonly silenceMs: number;
}
const smtpPatience: SmtpPatience = { connectMs: 10_000, silenceMs: 20_000 };
/** Mails on their way at the same time, each on a connection of its own. */
export const mailsAtOnce = 8;

const isThisMachine = (host: string): boolean => host === "localhost" || host === "[::1]" || host.startsWith("127.");

/**
 * Whether a server refused this recipient or this message for good. An earlier refusal (no service here, a wrong password, no mails from this
 * sender) concerns every mail until somebody corrects it, so this mail is tried again.
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

/** Connects as mails do, says who we are, and sends nothing. Throws as sending would. */
export async function greetMailServer(url: string, patience: SmtpPatience = smtpPatience): Promise<void> {
  const transport = createTransport(optionsOf(url, patience));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** @param url `smtp://user:password@host:587` or `smtps://…`; to another machine nothing goes unencrypted */
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
          // As bytes: line ends in text may be changed on the way.
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

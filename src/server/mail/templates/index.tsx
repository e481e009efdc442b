/** Mails as HTML and text. Rendered through Vite's build (Node cannot run `.tsx`); tests import it as it is. */
import { type MailTemplate, mailSchemas, type RenderedMail, type RenderMail } from "../contents.ts";
import type { MailKey } from "#content/texts/mail.ts";
import type { Locale } from "#core/locales.ts";
import { render, toPlainText } from "@react-email/render";
import type { ReactElement } from "react";
import * as v from "valibot";
import { Cancelled } from "./Cancelled.tsx";
import { ConfirmChange } from "./ConfirmChange.tsx";
import { ConfirmEmail } from "./ConfirmEmail.tsx";
import { EmailChange } from "./EmailChange.tsx";
import { EmailChanged } from "./EmailChanged.tsx";
import { LoginLink } from "./LoginLink.tsx";
import { LoginUnknown } from "./LoginUnknown.tsx";
import { PasswordChanged } from "./PasswordChanged.tsx";
import { PayLink } from "./PayLink.tsx";
import { Receipt } from "./Receipt.tsx";
import { ResetPassword } from "./ResetPassword.tsx";
import { type Say, sayIn } from "./say.ts";

const templates: {
  readonly [T in MailTemplate]: { readonly subject: MailKey; readonly element: (locale: Locale, say: Say, data: unknown) => ReactElement };
} = {
  confirmEmail: {
    subject: "confirm.subject",
    element: (locale, say, data) => <ConfirmEmail locale={locale} say={say} data={v.parse(mailSchemas.confirmEmail, data)} />,
  },
  confirmChange: {
    subject: "confirmChange.subject",
    element: (locale, say, data) => <ConfirmChange locale={locale} say={say} data={v.parse(mailSchemas.confirmChange, data)} />,
  },
  loginLink: {
    subject: "loginLink.subject",
    element: (locale, say, data) => <LoginLink locale={locale} say={say} data={v.parse(mailSchemas.loginLink, data)} />,
  },
  loginUnknown: {
    subject: "loginUnknown.subject",
    element: (locale, say, data) => <LoginUnknown locale={locale} say={say} data={v.parse(mailSchemas.loginUnknown, data)} />,
  },
  resetPassword: {
    subject: "reset.subject",
    element: (locale, say, data) => <ResetPassword locale={locale} say={say} data={v.parse(mailSchemas.resetPassword, data)} />,
  },
  passwordChanged: {
    subject: "passwordChanged.subject",
    element: (locale, say, data) => <PasswordChanged locale={locale} say={say} data={v.parse(mailSchemas.passwordChanged, data)} />,
  },
  emailChanged: {
    subject: "emailChanged.subject",
    element: (locale, say, data) => <EmailChanged locale={locale} say={say} data={v.parse(mailSchemas.emailChanged, data)} />,
  },
  emailChange: {
    subject: "emailChange.subject",
    element: (locale, say, data) => <EmailChange locale={locale} say={say} data={v.parse(mailSchemas.emailChange, data)} />,
  },
  receipt: {
    subject: "welcome.subject",
    element: (locale, say, data) => <Receipt locale={locale} say={say} data={v.parse(mailSchemas.receipt, data)} />,
  },
  cancelled: {
    subject: "cancelled.subject",
    element: (locale, say, data) => <Cancelled locale={locale} say={say} data={v.parse(mailSchemas.cancelled, data)} />,
  },
  payLink: {
    subject: "payLink.subject",
    element: (locale, say, data) => <PayLink locale={locale} say={say} data={v.parse(mailSchemas.payLink, data)} />,
  },
};

export const renderMail: RenderMail = async (template, locale, data): Promise<RenderedMail> => {
  const { subject, element } = templates[template];
  const say = sayIn(locale);
  const html = await render(element(locale, say, data));
  return {
    subject: say(subject),
    html,
    text: toPlainText(html, { selectors: ["h1", "h2"].map((selector) => ({ selector, options: { uppercase: false } })) }).trim(),
  };
};

/** A mail as it is rendered: the site's build has the templates, the server sends. */
import type { Locale } from "./locales.ts";

export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: string;
}

export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** Rejects a template that there is not, and data that is not the template's. */
export type RenderMail<Template extends string = string> = (template: Template, locale: Locale, data: unknown) => Promise<RenderedMail>;

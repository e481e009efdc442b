/** A rendered mail. The site's build holds the templates; the server sends the mail. */
import type { Locale } from "./locales.ts";
import type { Theme } from "./questionnaire/definition.ts";

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

/** Throws for an unknown template and for data that does not fit the template. Without a theme the mail has the brand's. */
export type RenderMail<Template extends string = string> = (
  template: Template,
  locale: Locale,
  data: unknown,
  theme?: Theme,
) => Promise<RenderedMail>;

/** The parts the server is made of. `main.ts` makes the real ones from the environment, tests make their own. */
import type { Locale } from "#core/locales.ts";
import type { Site } from "#core/page.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Accounts } from "../../accounts/accounts.ts";
import type { Erasing } from "../../accounts/erasing.ts";
import type { Limits } from "../../base/limits.ts";
import type { PaymentService } from "../../payments/service.ts";
import type { Settings } from "../../base/settings.ts";
import type { Store } from "../../store/store.ts";

/** The world: time and chance come in here. `wait` lets so many milliseconds pass. */
export interface World {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
  readonly randomBytes: (size: number) => Buffer;
  readonly wait: (ms: number) => Promise<unknown>;
}

/** The questionnaires there are (`#content/questionnaires/index.ts`). */
export interface Questionnaires {
  readonly versions: readonly string[];
  readonly defaultVersion: Readonly<Record<Locale, string>>;
  readonly questionnaireFor: (version: string, locale: Locale) => Questionnaire;
}

/** What the rest of the server asks of payments. */
export type Payments = PaymentService;

export interface Mail {
  /** Rows were added to `mail_outbox`: look now instead of at the next round. */
  readonly wake: () => void;
}

/** What handlers work with. */
export interface Services {
  readonly settings: Settings;
  readonly world: World;
  readonly store: Store;
  readonly accounts: Accounts;
  readonly limits: Limits;
  readonly questionnaires: Questionnaires;
  readonly payments: Payments;
  readonly mail: Mail;
  readonly erasing: Pick<Erasing, "begin" | "wake">;
}

export interface AppParts extends Omit<Services, "accounts" | "limits"> {
  readonly site: Site;
  /** Whether the process has been told to end: it answers, says that it is not ready, and keeps no connection. */
  readonly ending?: () => boolean;
  /** Folder with `client/` and `media/` as built; null serves no files (tests). */
  readonly buildDir: string | null;
  /** More routes: the mailbox page, the payment stand-in, the development server's middleware. */
  readonly extensions?: readonly ((app: FastifyInstance, services: Services) => Promise<void>)[];
  /** Without it nothing is logged. */
  readonly log?: FastifyBaseLogger;
  /** What the development server answers itself; it calls `next` for all else. */
  readonly middleware?: (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
}

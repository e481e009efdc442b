import type { Accounts } from "../../accounts/accounts.ts";
import type { Erasing } from "../../accounts/erasing.ts";
import type { Limits } from "../../base/limits.ts";
import type { Questionnaires } from "../../base/questionnaires.ts";
import type { Settings } from "../../base/settings.ts";
import type { Visits } from "../../events/visits.ts";
import type { World } from "../../base/world.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { PaymentService } from "../../payments/service.ts";
import type { Releases } from "../../releases/releases.ts";
import type { Rollouts } from "../../releases/rollouts.ts";
import type { Store } from "../../store/store.ts";

export interface Mail {
  /** Call this after adding rows to `mail_outbox`, so that they are sent now and not in the next round. */
  readonly wake: () => void;
  readonly covered: Mailer["covered"];
}

/** What handlers use. */
export interface Services {
  readonly settings: Settings;
  readonly world: World;
  readonly store: Store;
  readonly accounts: Accounts;
  readonly limits: Limits;
  readonly visits: Visits;
  readonly questionnaires: Questionnaires;
  readonly releases: Releases;
  readonly rollouts: Rollouts;
  readonly payments: PaymentService;
  readonly mail: Mail;
  readonly erasing: Pick<Erasing, "begin" | "wake">;
}

/** Assembles accounts from sessions, links, passwords and known devices. */
import type { Session } from "#core/api.ts";
import type { Actor } from "../base/actor.ts";
import type { PaymentService } from "../payments/service.ts";
import type { Questionnaires } from "../base/questionnaires.ts";
import type { World } from "../base/world.ts";
import type { Settings } from "../base/settings.ts";
import type { Store } from "../store/store.ts";
import { createAccessTokens } from "./accessTokens.ts";
import { createKnownDevices, type KnownDevices } from "./knownDevices.ts";
import { createLinks, type Links } from "../mail/links.ts";
import { ownVersion } from "./ownVersion.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import { createSessions, type Sessions, type TokenPair } from "./sessions.ts";

export interface Accounts {
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly links: Links;
  readonly devices: KnownDevices;
  /** The account and session that an `authorization` header proves, or null. */
  readonly actorOf: (authorization: string | undefined) => Promise<Actor | null>;
  /** The response of login and refresh; null when the account is gone. */
  readonly describe: (pair: TokenPair) => Promise<Session | null>;
}

export interface AccountParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly world: World;
  readonly questionnaires: Questionnaires;
  readonly payments: PaymentService;
  readonly cores: number;
}

export function createAccounts({ settings, store, world, questionnaires, payments, cores }: AccountParts): Accounts {
  const accessTokens = createAccessTokens(settings.secretKeys);
  const sessions = createSessions({ store, world, accessTokens, secrets: settings.secretKeys });

  async function accountOf(accountUuid: string) {
    const row = await store.read
      .selectFrom("accounts")
      .leftJoin("questionnaire_states", "questionnaire_states.account_uuid", "accounts.uuid")
      .select([
        "accounts.uuid",
        "accounts.email",
        "accounts.firstname",
        "accounts.locale",
        "accounts.questionnaire_version as signedUpVersion",
        "questionnaire_states.version as savedVersion",
        "questionnaire_states.finished",
      ])
      .where("accounts.uuid", "=", accountUuid)
      .executeTakeFirst();
    if (!row) return null;
    return {
      user: { uuid: row.uuid, email: row.email, firstname: row.firstname },
      questionnaireVersion: ownVersion(questionnaires, row),
      completed: row.finished === 1,
      entitlementExists: await payments.entitlementExists(accountUuid),
    };
  }

  return {
    passwords: createPasswords(cores),
    sessions,
    links: createLinks(settings.secretKeys, world),
    devices: createKnownDevices(settings, world),
    actorOf: async (authorization) => {
      const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? "")?.[1];
      if (token === undefined) return null;
      const actor = await accessTokens.verify(token, world.now());
      return actor && (await sessions.isAlive(actor.sessionId)) ? actor : null;
    },
    describe: async ({ accountUuid, token, refreshToken }) => {
      const account = await accountOf(accountUuid);
      if (!account) return null;
      const { user, questionnaireVersion, completed, entitlementExists } = account;
      return {
        token,
        refreshToken,
        backendUrl: settings.backendUrl,
        user,
        features: { questionnaire: { version: questionnaireVersion, completed, entitlementExists } },
      };
    },
  };
}

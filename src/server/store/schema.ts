/**
 * The tables' types for queries. db/migrations creates the tables. Ids are UUIDs as text, times are milliseconds since 1970, JSON is text, and flags
 * are 0 or 1: both databases store these the same way.
 */
import type { Generated, Kysely } from "kysely";
import type { EventTables } from "./eventTables.ts";
import type { OperationTables } from "./operationTables.ts";
import type { OperatorTables } from "./operatorTables.ts";
import type { ReleaseTables } from "./releaseTables.ts";
import type { PaymentTables } from "./paymentTables.ts";

export interface AccountsTable {
  uuid: string;
  email: string;
  email_confirmed_at: number | null;
  password_hash: string | null;
  firstname: string | null;
  locale: string;
  questionnaire_version: string;
  app_version: string;
  marketing_consent: number | null;
  created_at: number;
  updated_at: number;
  trust_epoch: Generated<string>;
}
export interface SessionsTable {
  id: string;
  account_uuid: string;
  started_at: number;
  ended_at: number | null;
  end_reason: string | null;
  entered_by: string;
  /** Browser and system, as the owner sees them in the list of sessions. Null in rows of an older release. */
  browser: string | null;
}
export interface RefreshTokensTable {
  token_hash: string;
  session_id: string;
  issued_at: number;
  expires_at: number;
  used_at: number | null;
  successor_hash: string | null;
  attempt_hash: string | null;
}
export interface LinkTokensTable {
  id: string;
  token_hash: string;
  purpose: string;
  account_uuid: string;
  email: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
  code_tries: number;
  asked_by: Generated<string>;
}
export interface LoginCodeTriesTable {
  account_uuid: string;
  by_known_device: number;
  days: number;
  period: number;
  tries: number;
  expires_at: number;
}
export interface EmailChangesTable {
  id: string;
  account_uuid: string;
  from_email: string;
  to_email: string;
  session_id: string;
  asked_at: number;
  expires_at: number;
  outcome: string | null;
  ended_at: number | null;
}
export interface QuestionnaireStatesTable {
  account_uuid: string;
  version: string;
  state: string;
  user_level: string | null;
  finished: number;
  saved_at: number;
}
export interface StudySchedulesTable {
  account_uuid: string;
  schedule_id: number;
  months: number;
  practise_days_per_week: number;
  minutes_per_session: number;
  days: string;
  saved_at: number;
}
export interface MarketingConsentsTable {
  id: string;
  account_uuid: string;
  consent: number;
  given_at: number;
}
export interface PopupsTable {
  account_uuid: string;
  questionnaire: string;
  popup_id: string;
  shown_at: number;
}
export interface MailOutboxTable {
  id: string;
  /** The account that the mail is about. Null for none, and in rows of an older release that did not record it. */
  account_uuid: string | null;
  template: string;
  locale: string;
  recipient: string;
  data: string;
  created_at: number;
  sent_at: number | null;
  attempts: number;
  next_attempt_at: number | null;
  error: string | null;
  /** Which mails go first (`mailLanes`); the first lane in rows of an older release. */
  lane?: number | undefined;
}
export interface AuditTable {
  id: string;
  at: number;
  account_uuid: string | null;
  kind: string;
  data: string;
}

interface TaskLeasesTable {
  task: string;
  holder: string;
  expires_at: number;
}

/** Accounts that are being erased (accounts/erasing.ts). */
export interface ErasuresTable {
  account_uuid: string;
  email: string;
  stand_in: string;
  asked_at: number;
  attempts: number;
  next_attempt_at: number;
}

export interface Database extends PaymentTables, EventTables, OperationTables, OperatorTables, ReleaseTables {
  accounts: AccountsTable;
  sessions: SessionsTable;
  refresh_tokens: RefreshTokensTable;
  link_tokens: LinkTokensTable;
  login_code_tries: LoginCodeTriesTable;
  email_changes: EmailChangesTable;
  questionnaire_states: QuestionnaireStatesTable;
  study_schedules: StudySchedulesTable;
  marketing_consents: MarketingConsentsTable;
  popups: PopupsTable;
  mail_outbox: MailOutboxTable;
  audit: AuditTable;
  task_leases: TaskLeasesTable;
  erasures: ErasuresTable;
}

/** A database or an open write, for building queries. */
export type Queries = Kysely<Database>;

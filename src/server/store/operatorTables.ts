/** Tables of the studio's operators. db/migrations creates them. */
export interface OperatorsTable {
  id: string;
  address: string;
  name: string;
  role: string;
  created_at: number;
  removed_at: number | null;
}
export interface OperatorSessionsTable {
  id: string;
  token_hash: string;
  operator_id: string;
  entered_by: string;
  browser: string;
  network: string;
  started_at: number;
  seen_at: number;
  fresh_at: number;
  ended_at: number | null;
}
export interface OperatorLinksTable {
  id: string;
  token_hash: string;
  purpose: string;
  operator_id: string | null;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}
export interface OperatorPasskeysTable {
  id: string;
  operator_id: string;
  name: string;
  public_key: string;
  counter: number;
  transports: string;
  created_at: number;
  used_at: number | null;
}
export interface OperatorChallengesTable {
  id: string;
  purpose: string;
  challenge: string;
  operator_id: string | null;
  expires_at: number;
}
export interface OperatorAuditTable {
  id: string;
  at: number;
  operator_id: string | null;
  operator_name: string;
  action: string;
  subject: string;
  account_uuid: string | null;
  before_values: string | null;
  after_values: string | null;
  reason: string | null;
}

export interface OperatorTables {
  operators: OperatorsTable;
  operator_sessions: OperatorSessionsTable;
  operator_links: OperatorLinksTable;
  operator_passkeys: OperatorPasskeysTable;
  operator_challenges: OperatorChallengesTable;
  operator_audit: OperatorAuditTable;
}

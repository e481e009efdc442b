/** Tables of how the installation runs; db/migrations/*_operations makes them. */
export interface ProcessesTable {
  id: string;
  started_at: number;
  seen_at: number;
  ended_at: number | null;
  code: string;
  schema_name: string;
  content: string;
  /** Of the last five minutes. */
  requests: number;
  failures: number;
  /** 95 of 100 of these answers took at most so long, ms. Null without any, and from a release that did not measure it. */
  p95_ms: number | null;
}
export interface ClientErrorsTable {
  cause: string;
  message: string;
  place: string;
  stack: string;
  first_at: number;
  last_at: number;
  /** The latest visit that may be replayed: its device and the questionnaire's version. */
  device_id: string | null;
  version: string | null;
}
export interface ClientErrorCountsTable {
  cause: string;
  day: string;
  app_version: string;
  browser: string;
  route: string;
  questionnaire: string;
  count: number;
}
export interface LimitRefusalsTable {
  rule: string;
  /** Its begin, ms. */
  hour: number;
  refused: number;
  last_at: number;
}
export interface AlertRulesTable {
  name: string;
  active: number;
  threshold: number;
}
export interface AlertChannelsTable {
  name: string;
  target: string;
  /** What webhooks are signed with. */
  secret: string;
}
export interface AlertsTable {
  id: string;
  rule: string;
  says: string;
  began_at: number;
  ended_at: number | null;
  seen_by: string | null;
  seen_at: number | null;
}
export interface AlertDeliveriesTable {
  id: string;
  body: string;
  created_at: number;
  attempts: number;
  next_attempt_at: number | null;
  sent_at: number | null;
  error: string | null;
}

export interface OperationTables {
  processes: ProcessesTable;
  client_errors: ClientErrorsTable;
  client_error_counts: ClientErrorCountsTable;
  limit_refusals: LimitRefusalsTable;
  alert_rules: AlertRulesTable;
  alert_channels: AlertChannelsTable;
  alerts: AlertsTable;
  alert_deliveries: AlertDeliveriesTable;
}

/** Tables for operations; db/migrations/*_operations creates them. */
export interface ProcessesTable {
  id: string;
  started_at: number;
  seen_at: number;
  ended_at: number | null;
  code: string;
  schema_name: string;
  content: string;
  /** In the last five minutes. */
  requests: number;
  failures: number;
  /** The 95th percentile of the response time, ms. Null without requests, and in rows of a release that did not measure it. */
  p95_ms: number | null;
}
export interface ClientErrorsTable {
  cause: string;
  message: string;
  place: string;
  stack: string;
  first_at: number;
  last_at: number;
  /** The latest visit that operators may replay: its device and its questionnaire version. */
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
  /** The hour's start, ms. */
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
  /** The key that signs webhooks. */
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

/** Tables of events and of what is derived from them. db/migrations creates them. */
import type { Generated } from "kysely";

export interface EventsTable {
  id: string;
  event_type: string;
  account_uuid: string | null;
  device_id: string | null;
  country: string | null;
  payload: string;
  /** The device's time, corrected by how far its clock was off when it sent the event. */
  happened_at: number;
  received_at: number;
  sequence: number | null;
}
export interface EventDevicesTable {
  device_id: string;
  visitor: string;
  sequence: number;
}
export interface JourneysTable {
  device_id: string;
  version: string;
  started_at: number;
  last_at: number;
  locale: string | null;
  country: string | null;
  platform: string | null;
  campaign: string | null;
  release: string | null;
  steps: string;
  /** 1 when a visitor who was later erased had bought. */
  bought: Generated<number>;
}

export interface ConsentRecordsTable {
  id: string;
  device_id: string | null;
  account_uuid: string | null;
  chosen_at: number;
  received_at: number;
  text_version: string;
  functional: number;
  analytics: number;
  marketing: number;
  source: string;
  country: string | null;
}

export interface ConversionsTable {
  order_id: string;
  destination: string;
  status: string;
  created_at: number;
  attempts: number;
  next_attempt_at: number | null;
  error: string | null;
}

/** Only one edition of a day is read. `hours` is JSON. */
export interface FunnelDaysTable {
  version: string;
  day: number;
  edition: number;
  counted_at: number | null;
  touched_at: number | null;
  hours: string;
}
export interface FunnelDayCountsTable {
  version: string;
  day: number;
  edition: number;
  whole: number;
  release: string;
  locale: string;
  country: string;
  platform: string;
  campaign: string;
  came: string;
  consent: string;
  visitors: number;
  counts: string;
}
/** `milestones` and `by_traits` are JSON. */
export interface FunnelHoursTable {
  version: string;
  hour: number;
  counted_at: number;
  milestones: string;
  counts: string;
  by_traits: string;
}

/** One row while journeys are copied to ClickHouse. The migration explains the columns. */
export interface JourneyCopyTable {
  place: "clickhouse";
  copy_name: string;
  edition: number;
  delivered: number;
  copied_to: string;
  complete_at: number | null;
  settled: number;
  settled_at: number;
  tried_at: number;
  tries: number;
  error: string | null;
}
/** Written by triggers. */
export interface JourneyChangesTable {
  id: Generated<number>;
  device_id: string;
  version: string;
  day: number;
  at: Generated<number>;
}

export interface EventTables {
  conversions: ConversionsTable;
  consent_records: ConsentRecordsTable;
  events: EventsTable;
  event_devices: EventDevicesTable;
  journeys: JourneysTable;
  funnel_days: FunnelDaysTable;
  funnel_day_counts: FunnelDayCountsTable;
  funnel_hours: FunnelHoursTable;
  journey_copy: JourneyCopyTable;
  journey_changes: JourneyChangesTable;
}

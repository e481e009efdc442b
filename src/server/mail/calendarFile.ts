/** The days of practice as a file that calendars take in (iCalendar, RFC 5545): days, not hours, since nobody agreed an hour. */
import { addDays, daysBetween, weekdayOf } from "#core/questionnaire/calendar.ts";
import ical, { ICalCalendarMethod, ICalEventRepeatingFreq, ICalEventTransparency, ICalWeekday } from "ical-generator";

export interface PracticeCalendar {
  /** The same for every file of one plan: a calendar then changes what it has. */
  readonly id: string;
  /** YYYY-MM-DD: the first day of practice and the last day of the program. */
  readonly start: string;
  readonly end: string;
  /** 0 = Monday. */
  readonly weekdays: readonly number[];
}

const names = [ICalWeekday.MO, ICalWeekday.TU, ICalWeekday.WE, ICalWeekday.TH, ICalWeekday.FR, ICalWeekday.SA, ICalWeekday.SU];

/** Null when no day of practice lies in the program. */
export function calendarFile(
  { id, start, end, weekdays: chosen }: PracticeCalendar,
  words: { readonly title: string; readonly link: string },
): string | null {
  const weekdays = [...new Set(chosen)];
  const count = daysOfPractice(start, end, weekdays);
  if (count === 0) return null;
  const first = new Date(start);
  const calendar = ical({ prodId: { company: "Parlando", product: "Plan" }, method: ICalCalendarMethod.PUBLISH, timezone: "UTC" });
  calendar.createEvent({
    id,
    start: first,
    end: new Date(addDays(start, 1)),
    allDay: true,
    summary: words.title,
    description: words.link,
    // Whoever practises is still free for others that day.
    transparency: ICalEventTransparency.TRANSPARENT,
    repeating: { freq: ICalEventRepeatingFreq.WEEKLY, count, byDay: weekdays.flatMap((day) => names[day] ?? []) },
  });
  return calendar.toString();
}

/** How many practice days there are. Computed, not counted day by day: a saved end may be in the year 9999. */
function daysOfPractice(start: string, end: string, weekdays: readonly number[]): number {
  const length = daysBetween(start, end) + 1;
  return weekdays.reduce((sum, day) => sum + Math.max(0, Math.ceil((length - ((day - weekdayOf(start) + 7) % 7)) / 7)), 0);
}

/** The days of practice as a calendar file (iCalendar, RFC 5545): whole days, because no hour was agreed. */
import { addDays, daysBetween, weekdayOf } from "#core/questionnaire/calendar.ts";
import { studyWeeks } from "#core/questionnaire/plan.ts";
import { defaultWeeks } from "#core/questionnaire/schedule.ts";
import ical, { ICalCalendarMethod, ICalEventRepeatingFreq, ICalEventTransparency, ICalWeekday } from "ical-generator";

export interface PracticeCalendar {
  /** The same in every file of a plan, so that a calendar updates its entries instead of adding some. */
  readonly id: string;
  /** YYYY-MM-DD: the first day of practice and the last day of the program. */
  readonly start: string;
  readonly end: string;
  /** 0 = Monday. */
  readonly weekdays: readonly number[];
}

const names = [ICalWeekday.MO, ICalWeekday.TU, ICalWeekday.WE, ICalWeekday.TH, ICalWeekday.FR, ICalWeekday.SA, ICalWeekday.SU];

/**
 * One series for each week of study in a quarter, because nothing is due in weeks of rest. Null when the program has no day of practice.
 */
export function calendarFile(
  { id, start, end, weekdays: chosen }: PracticeCalendar,
  words: { readonly title: string; readonly link: string },
): string | null {
  const weekdays = [...new Set(chosen)].toSorted((a, b) => a - b);
  const monday = addDays(start, -weekdayOf(start));
  const calendar = ical({ prodId: { company: "Parlando", product: "Plan" }, method: ICalCalendarMethod.PUBLISH, timezone: "UTC" });
  for (const week of studyWeeks) {
    // In the week of the start, the weekdays before it are over: they first occur in the same week of the next quarter.
    const firsts = weekdays.map((day) => addDays(monday, 7 * week + day)).map((day) => (day < start ? addDays(day, quarterDays) : day));
    const count = firsts.reduce((sum, day) => sum + timesUntil(day, end), 0);
    const first = firsts.toSorted((a, b) => daysBetween(b, a))[0];
    if (first === undefined || count === 0) continue;
    calendar.createEvent({
      id: week === 0 ? id : `${id}-${week}`,
      start: new Date(first),
      end: new Date(addDays(first, 1)),
      allDay: true,
      summary: words.title,
      description: words.link,
      // The day stays free for other appointments.
      transparency: ICalEventTransparency.TRANSPARENT,
      repeating: {
        freq: ICalEventRepeatingFreq.WEEKLY,
        interval: defaultWeeks,
        count,
        byDay: weekdays.flatMap((day) => names[day] ?? []),
      },
    });
  }
  return calendar.length() === 0 ? null : calendar.toString();
}

const quarterDays = 7 * defaultWeeks;

/** Calculated, not counted day by day, because a stored end may lie in the year 9999. */
const timesUntil = (first: string, end: string): number => Math.max(0, Math.floor(daysBetween(first, end) / quarterDays) + 1);

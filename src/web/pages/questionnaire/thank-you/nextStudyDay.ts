/** 0 = Monday … 6 = Sunday. `date`: YYYY-MM-DD. */
export function weekdayOf(date: string): number {
  return (new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7;
}

/** The first of the chosen days from today on, 0 = Monday … 6 = Sunday; null when none was chosen. `today`: YYYY-MM-DD. */
export function nextStudyDay(days: readonly number[], today: string): number | null {
  const weekday = weekdayOf(today);
  return days.toSorted((a, b) => ((a - weekday + 7) % 7) - ((b - weekday + 7) % 7))[0] ?? null;
}

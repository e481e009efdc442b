/** 57–66: the promise, the rhythm, the days, and the plan so far. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import type { Say, Screen } from "../story.ts";

export const schedules = (t: Say): QuestionnaireInput["schedules"] => [
  {
    id: 1,
    months: 9,
    name: t("schedule.calm"),
    monthsText: t("schedule.calm.months"),
    practiseDaysPerWeek: 3,
    practiseDaysPerWeekText: t("schedule.calm.days"),
    minutesPerSession: 15,
    minutesPerSessionText: t("schedule.calm.minutes"),
    picture: "calm",
  },
  {
    id: 2,
    months: 6,
    name: t("schedule.steady"),
    monthsText: t("schedule.steady.months"),
    practiseDaysPerWeek: 4,
    practiseDaysPerWeekText: t("schedule.steady.days"),
    minutesPerSession: 20,
    minutesPerSessionText: t("schedule.steady.minutes"),
    picture: "steady",
  },
  {
    id: 3,
    months: 3,
    name: t("schedule.fast"),
    monthsText: t("schedule.fast.months"),
    practiseDaysPerWeek: 5,
    practiseDaysPerWeekText: t("schedule.fast.days"),
    minutesPerSession: 30,
    minutesPerSessionText: t("schedule.fast.minutes"),
    picture: "fast",
  },
];

export const plan = (t: Say): Screen[] => [
  {
    id: 57,
    layout: "wide",
    eyebrow: { text: t("plan.eyebrow"), icon: "target" },
    contents: [
      { type: "title", text: t("promise.title") },
      { type: "description", text: t("promise.text") },
      { type: "programPromise", programPromiseOptions: { range: true, months: 9 } },
    ],
    options: [{ id: 1, description: t("promise.go") }],
    next: 59,
  },
  {
    id: 59,
    eyebrow: { text: t("plan.eyebrow"), icon: "target" },
    contents: [{ type: "title", text: t("date.title") }],
    options: [
      {
        id: 1,
        description: t("date.soon"),
        icon: "calendar-check",
        reward: { title: t("date.soon.reward.title"), text: t("date.soon.reward.text"), figure: "guide" },
      },
      { id: 2, description: t("date.year"), icon: "calendar" },
      { id: 3, description: t("date.none"), icon: "infinity" },
    ],
    next: 60,
  },
  {
    id: 60,
    layout: "wide",
    eyebrow: { text: t("plan.eyebrow"), icon: "target" },
    contents: [{ type: "title", text: t("schedule.title") }, { type: "studySchedule" }],
    options: [{ id: 1, description: t("go.continue") }],
    next: 61,
  },
  {
    id: 61,
    eyebrow: { text: t("plan.eyebrow"), icon: "target" },
    contents: [
      { type: "title", text: t("days.title") },
      { type: "description", text: t("days.text") },
      { type: "daySelection", daySelectionOptions: { days: "schedule", textDone: t("days.done") } },
    ],
    options: [{ id: 1, description: t("go.continue") }],
    next: 62,
  },
  {
    id: 62,
    eyebrow: { text: t("plan.eyebrow"), icon: "target" },
    contents: [
      { type: "title", text: t("confirm.title") },
      { type: "daySelectionConfirm", text: t("confirm.text") },
    ],
    options: [
      { id: 1, description: t("confirm.go") },
      { id: 2, type: "ToPrevious", description: t("confirm.change"), buttonStyle: "link" },
    ],
    next: 64,
  },
  {
    id: 64,
    layout: "wide",
    eyebrow: { text: t("plan.eyebrow"), icon: "target" },
    contents: [{ type: "title", text: t("summary.title") }, { type: "scheduleSummary" }, { type: "footnote", text: t("summary.footnote") }],
    options: [{ id: 1, description: t("summary.go") }],
    next: 66,
  },
  {
    id: 66,
    header: { media: "point", alt: t("save.alt"), flexible: true },
    contents: [
      { type: "title", text: t("save.title") },
      {
        type: "list",
        items: [
          { text: t("save.item1"), icon: "smartphone" },
          { text: t("save.item2"), icon: "calendar-check" },
          { text: t("save.item3"), icon: "mail" },
        ],
      },
    ],
    options: [
      { id: 1, description: t("save.go") },
      { id: 2, type: "ToHomePage", description: t("save.later"), buttonStyle: "link" },
    ],
    next: 67,
  },
];

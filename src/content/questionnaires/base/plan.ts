/** Questions 57–66: the promise, the schedule, the days, and the plan so far. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { monthsFromEach } from "#core/questionnaire/plan.ts";
import type { Say, Screen } from "../story.ts";

/** A visitor with a date in the next months practices longer; one with little time has shorter sessions on more days. */
const hasDate = [{ questionId: 59, optionId: 1 }];
const shortOfTime = [{ questionId: 20, optionId: 5 }];

/** The months that the first stage takes with this many days and minutes (decisions/099). */
function figures(practiseDaysPerWeek: number, minutesPerSession: number) {
  const monthsFrom = monthsFromEach(practiseDaysPerWeek, minutesPerSession);
  return { months: monthsFrom.beginner, monthsFrom, practiseDaysPerWeek, minutesPerSession };
}

export const schedules = (t: Say): QuestionnaireInput["schedules"] => {
  const texts = {
    monthsText: t("schedule.months"),
    practiseDaysPerWeekText: t("schedule.days"),
    minutesPerSessionText: t("schedule.minutes"),
  };
  return [
    {
      id: 1,
      name: t("schedule.calm"),
      ...figures(3, 20),
      variants: [
        { answers: hasDate, ...figures(3, 30) },
        { answers: shortOfTime, ...figures(4, 15) },
      ],
      ...texts,
      picture: "calm",
    },
    {
      id: 2,
      name: t("schedule.steady"),
      ...figures(4, 30),
      variants: [
        { answers: hasDate, ...figures(5, 30) },
        { answers: shortOfTime, ...figures(6, 20) },
      ],
      ...texts,
      picture: "steady",
    },
    {
      id: 3,
      name: t("schedule.fast"),
      ...figures(5, 45),
      variants: [
        { answers: hasDate, ...figures(6, 60) },
        { answers: shortOfTime, ...figures(6, 40) },
      ],
      ...texts,
      picture: "fast",
    },
  ];
};

export const plan = (t: Say): Screen[] => [
  {
    id: 57,
    layout: "wide",
    eyebrow: { text: t("plan.eyebrow"), icon: "target" },
    contents: [{ type: "title", text: t("promise.title") }, { type: "description", text: t("promise.text") }, { type: "programPromise" }],
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

/** A saved questionnaire state of somebody who has signed up and answered nothing, as the calls take it. */
export const emptySavedState = {
  id: "76",
  signupDone: true,
  finished: false,
  visitedQuestionIds: [],
  selectedOptions: [],
  currentQuestionId: 2,
  user: {},
  days: [],
  skillsToImprove: [],
  moreInfoOf: [],
  programChangeWish: [],
} as const;

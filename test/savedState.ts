/** The API's questionnaire state of somebody who has signed up without any answer. */
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

/** Text keys of `offerDetails.view.tsx`, which several blocks show. */
export const offerDetailsTexts = [
  "block.dates.label",
  "block.dates.today",
  "block.dates.startTrial",
  "block.dates.startPaid",
  "block.dates.remind",
  "block.dates.charge",
  "block.dates.guarantee",
  "block.dates.renew",
  "block.dates.end",
  "block.methods.label",
] as const;

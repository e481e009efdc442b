/** Definitions of the studio's numbers. Shown beside each number and written into exports. */
export const numbers = {
  visitors: "People who opened a question of this version, by the UTC day they started. A person with several devices counts once.",
  began: "Visitors who answered at least one question.",
  purchases:
    "Visitors who paid an order or began a trial after they started. Counted from the ledger, not from browsers. Erased accounts stay in the count.",
  entered: "Visitors who came to this screen: went on + left + still there.",
  wentOn: "Visitors who answered this screen or skipped it.",
  left: "Visitors whose last screen this is and who have done nothing for 30 minutes. Those who come back later no longer count as left.",
  stillThere: "Visitors who are on this screen and did something in the last 30 minutes.",
  changedDays:
    "The counts of past days and of today's busy hours are stored. A visitor of one of these days has done more since; the day is recounted within ten minutes.",
  medianTime:
    "Median time from the first showing to the first answer. Over whole days it is exact to half a second below ten seconds, and to a tenth above.",
  difference:
    "Share that went on there less the share here, in percentage points, with the 95% interval (Newcombe). Coloured when the interval excludes zero.",
  watched: "Visits that allowed statistics. Names, addresses and typed text are never recorded.",
  answers: "The last answer of each visitor who answered this screen.",
  onSite: "Visitors whose browser sent anything in the last 5 minutes.",
  netToday: "Charges since midnight UTC less tax, provider's fees, refunds and chargebacks, at the latest imported rates.",
  salesToday: "Trials begun and orders paid at once since midnight UTC. Payments after a trial and renewals are listed below.",
} as const;

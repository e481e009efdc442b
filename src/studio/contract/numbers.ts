/** What each number of the studio counts: shown beside it, and written into exports. */
export const numbers = {
  visitors: "People who opened a question of this version, each once on however many devices, by the UTC day they started.",
  began: "Visitors who answered at least one question.",
  purchases:
    "Visitors with an order that was paid, or whose trial began, since they started. From the ledger, not from browsers. Whoever was erased since counts on, as they stood then.",
  entered: "Visitors who came to this screen. It is always went on + left + still there.",
  wentOn: "Visitors who answered it, or were led past it.",
  left: "Visitors who stand here and have done nothing for 30 minutes. Whoever comes back later moves on.",
  stillThere: "Visitors who stand here and did something in the last 30 minutes.",
  changedDays:
    "Whole days are counted once and kept, and busy hours of today. Somebody who came on one of these days has done more since; it is counted anew within ten minutes.",
  medianTime:
    "Half of those who answered needed at most so long, from the first showing to the first answer. Over whole days it is right to half a second below ten seconds and to a tenth above.",
  difference: "Went on there less went on here, in points, with its 95% interval (Newcombe). Coloured when the interval leaves out zero.",
  watched: "Visits that allowed statistics. Names, addresses and what was typed are never recorded.",
  answers: "The last answer of each visitor who answered this screen.",
  onSite: "Visitors whose browser told us anything in the last 5 minutes.",
  netToday: "What was charged since midnight UTC less tax, provider's fees, refunds and chargebacks, at the latest imported rates.",
  salesToday: "Trials begun and orders paid at once since midnight UTC. Trials that are paid now and renewals stand below.",
} as const;

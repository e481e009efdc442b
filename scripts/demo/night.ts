/** Failures in the last night of the demonstration (`night` in truths.ts), for the Operations screen. */
import type { Parts } from "../../src/parts.ts";
import type { Chance } from "./chance.ts";
import { createClient } from "./client.ts";
import { night } from "./truths.ts";
import type { Visit } from "./visits.ts";
import type { Stage } from "./walk.ts";

const minute = 60_000;
/** Interval of the server's alarm checks, ms. */
const lookEvery = 5 * minute;
/** Duration of these checks, ms: until the alarm ends, an hour after the mail was given up. */
const looksFor = 180 * minute;

export const nightBegins = (until: number): number => until - night.hoursAgo * 60 * minute;

/** Visitors with late mails, with a mail that was given up, or with a broken page. */
export function nightVisits(until: number, chance: Chance): readonly Visit[] {
  const { late, givenUp, broken } = night;
  const visit = (place: number, atMinute: number, own: Partial<Visit> & Required<Pick<Visit, "night">>): Visit => ({
    chance: chance.fork(),
    at: nightBegins(until) + atMinute * minute,
    device: chance.uuid(),
    network: `10.255.0.${place}`,
    locale: "es-419",
    country: "MX",
    platform: "android",
    campaign: undefined,
    isBot: false,
    ...own,
  });
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
  return [
    ...numbers(late.visits).map((n) => visit(10 + n, 2 * n, { night: { mailDomain: late.domain, brokenIn: null } })),
    ...numbers(givenUp.visits).map((n) => visit(20 + n, 40, { night: { mailDomain: givenUp.domain, brokenIn: null } })),
    ...numbers(broken.visits).map((n) =>
      visit(30 + n, 5 + 9 * n, {
        locale: broken.locale,
        country: broken.country,
        campaign: broken.campaign,
        night: { mailDomain: "example.com", brokenIn: broken.userAgent },
      }),
    ),
  ];
}

/** Timed tasks besides the visits. */
export function nightTasks({ mailbox, mail, watch }: Parts, stage: Stage, until: number, chance: Chance) {
  const begins = nightBegins(until);
  const look = async () => {
    mail.wake();
    await mail.settled();
    await watch.round();
  };
  const { late, givenUp } = night;
  return [
    {
      at: begins - minute,
      run: async () => {
        mailbox?.answer(late.domain, "puts off");
        mailbox?.answer(givenUp.domain, "refuses");
      },
    },
    { at: begins + late.minutes * minute, run: async () => mailbox?.answer(late.domain, "takes") },
    { at: begins + 30 * minute, run: () => guessPasswords(stage, chance) },
    ...Array.from({ length: looksFor / lookEvery }, (_, n) => ({ at: begins + n * lookEvery, run: look })),
  ];
}

async function guessPasswords({ send }: Stage, chance: Chance): Promise<void> {
  const { allowed, refused } = night.guesses;
  const client = createClient(send, { device: chance.uuid(), network: "10.255.0.200", country: "US" });
  const email = "somebody@example.com";
  for (let guess = 0; guess < allowed + refused; guess += 1)
    await client.call("login", { body: { email, password: `Password-${guess}` } }).catch(() => undefined);
}

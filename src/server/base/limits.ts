/** Rate limits, in one table. LIMITS in the environment overrides rows. */
import type { CodeOf } from "#core/errors.ts";
import type { Endpoint } from "#core/api.ts";
import { linkResendDelay } from "#core/links.ts";
import { memoize } from "#core/memoize.ts";
import { LRUCache } from "lru-cache";
import { RateLimiterRes } from "rate-limiter-flexible";
import * as v from "valibot";
import { type Counter, longestBlock } from "./counter.ts";
import { type Counters, keysKept, memoryCounters } from "./counters.ts";
import { refuse, type Refusal } from "./refusal.ts";
import { siteOf } from "./visitor.ts";
import { createKeyedQueue } from "./keyedQueue.ts";

const second = 1;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export interface LimitRule {
  readonly points: number;
  readonly seconds: number;
}
const whole = v.pipe(v.number(), v.integer(), v.minValue(1));
export const limitRuleSchema = v.object({ points: whole, seconds: whole });

const limitRules = {
  "signup.network": { points: 20, seconds: hour },
  "signup.crowd": { points: 200, seconds: hour },
  "signup.email": { points: 3, seconds: 3 * hour },
  /**
   * Sign-ups with one address from one network, after `signup.email` is used up. It counts only visits that the server has known for a while. Without it, a
   * stranger could sign up with the address and erase the account, again and again, and so keep its owner from signing up.
   */
  "signup.visit": { points: 3, seconds: 3 * hour },
  /** Confirmation mails to one mailbox, in any spelling of its address. Above it, sign-up still works but sends no confirmation. */
  "signup.mail": { points: 3, seconds: 3 * hour },
  "login.network": { points: 50, seconds: 15 * minute },
  /** Wrong passwords for one address from one guesser: a known device, a session, or a network. */
  "login.guesser": { points: 10, seconds: 15 * minute },
  /** Wrong passwords for one address from all networks. Above it, only known devices and mailed links can log in. */
  "login.email": { points: 100, seconds: hour },
  "login-link.network": { points: 20, seconds: hour },
  /**
   * Above these limits no mail is sent. `minute` and `hour` count one device or network; `email` counts all networks together, for one mailbox
   * (mailedLink.ts). Above `hour` and `email` the answer says so, whether the address has an account or not.
   */
  "login-link.minute": { points: 1, seconds: linkResendDelay / 1_000 },
  "login-link.hour": { points: 5, seconds: hour },
  "login-link.email": { points: 10, seconds: hour },
  "forgot-password.minute": { points: 1, seconds: linkResendDelay / 1_000 },
  "forgot-password.hour": { points: 5, seconds: hour },
  "forgot-password.email": { points: 10, seconds: hour },
  "forgot-password.network": { points: 20, seconds: hour },
  "token.network": { points: 30, seconds: 15 * minute },
  "reset-link.network": { points: 30, seconds: 15 * minute },
  "reset-password.network": { points: 30, seconds: 15 * minute },
  "confirm-email.network": { points: 30, seconds: 15 * minute },
  /**
   * Wrong codes for one unconfirmed address, counted for all accounts that have it one after the other. The first limit counts
   * confirmations, and logins on known devices; the second counts logins on other devices. Somebody who makes account after account with a
   * stranger's address thus has at most 954 tries a year (decision 224).
   */
  "confirm-by-code.email": { points: 10, seconds: 7 * day },
  "login-code.email": { points: 8, seconds: 7 * day },
  "undo-email.network": { points: 30, seconds: 15 * minute },
  "keep-subscription.network": { points: 30, seconds: 15 * minute },
  "check-email.network": { points: 10, seconds: 10 * minute },
  "check-email.crowd": { points: 100, seconds: 10 * minute },
  "refresh.network": { points: 150, seconds: 5 * minute },
  "refresh.session": { points: 30, seconds: 5 * minute },
  /** Requested mails of all kinds to one mailbox with an unconfirmed address, in any spelling (decision 115). */
  "unconfirmed.mail": { points: 5, seconds: day },
  /** Above `unconfirmed.mail`, an owner without a working link still gets one, and can take over an account that somebody else made. */
  "unconfirmed.link": { points: 1, seconds: hour },
  "update-email.account": { points: 5, seconds: hour },
  /**
   * Address changes of all accounts of a network. Each sends a mail to an address that anybody can choose, and one network's sign-ups can have made
   * thousands of accounts.
   */
  "update-email.network": { points: 60, seconds: hour },
  /**
   * Above this limit, an account that has just signed up can still correct a typing error, and an account that has bought can change its address. Others on
   * the same network must not keep them from that.
   */
  "update-email.new": { points: 1, seconds: hour },
  /** Address changes to one mailbox, by any number of accounts, so that nobody can flood it. */
  "update-email.email": { points: 2, seconds: day },
  /** Resent confirmations of an address change, per account, so that others cannot use them up (decision 048). */
  "update-email.again": { points: 3, seconds: day },
  /** Some 150 visitors behind one address who answer at the same time. */
  "questionnaire.network": { points: 1_500, seconds: minute },
  "questionnaire.uuid": { points: 120, seconds: minute },
  /** Events of as many visitors. A batch counts by its events or its kilobytes, whichever are more: all are stored, and long ones fill the disk. */
  "events.network": { points: 3_000, seconds: minute },
  /**
   * Kilobytes that a network's events take in the database. Events are kept for two years, and one with long texts takes six times as much as an
   * honest one. Some 9,000 visitors a day behind one address send as much.
   */
  "event-kilobytes.network": { points: 200_000, seconds: day },
  "consent.network": { points: 150, seconds: minute },
  "contract-notice.network": { points: 20, seconds: hour },
  /**
   * Above these limits, a notice is accepted without a confirmation mail. `owner` counts the notices of proven owners, so that strangers cannot use up
   * their limit. `asker` counts others' notices from one network to one mailbox. `mail` counts others' notices from all networks to one mailbox.
   */
  "contract-notice.owner": { points: 5, seconds: day },
  "contract-notice.asker": { points: 2, seconds: day },
  "contract-notice.mail": { points: 10, seconds: day },
  "report-error.network": { points: 30, seconds: minute },
  /**
   * Kilobytes of the bodies that a network sends. A body is counted before it is parsed: parsing takes longer the larger it is and the more
   * names it has (bodies.ts). Some 500 visitors behind one address stay within this limit.
   */
  "bodies.network": { points: 5_000, seconds: 10 * second },
  /**
   * Bodies of at most 4 kB once the kilobytes are used up. Two requests a second that only announce a large body would otherwise stop every sign-up,
   * login and payment of everybody behind their address.
   */
  "small-bodies.network": { points: 1_000, seconds: 10 * second },
  /** Pages that are not in the cache and must be rendered. Modules of older releases count, too. */
  "page.network": { points: 300, seconds: minute },
  "payment.network": { points: 10, seconds: 10 * minute },
  /**
   * Further calls of one account when its network's limit is used up. They need its session or a link that was mailed to it. Otherwise one device without
   * either could keep everybody behind its address from paying, from renewing their sessions, and from their links.
   */
  "proven.account": { points: 30, seconds: 10 * minute },
  /** All small writes of an account together, and readings of its list of sessions, of which it may have many. */
  "writes.account": { points: 60, seconds: minute },
  /** Checkouts that the provider opens. Choosing another plan opens one: whoever compares two plans on the reactivation page opens many. */
  "payment.account": { points: 12, seconds: 10 * minute },
  /** The same for all accounts of a network, because anybody can have many: Paddle answers 240 requests of our address a minute, and each takes up to three. */
  "payment-open.network": { points: 60, seconds: 10 * minute },
  /**
   * Questions to the payment provider about an order because its buyer's page polls. Above these limits the page waits for the webhook. Paddle answers
   * 240 requests of our address a minute, purchases and refunds included, so polls must not use them up.
   */
  "payment-ask.network": { points: 20, seconds: minute },
  "payment-ask.all": { points: 60, seconds: minute },
  /** Low, because an export can be large. */
  "account-export.account": { points: 5, seconds: hour },
  "pay-link-mail.account": { points: 5, seconds: hour },
  "plan-mail.account": { points: 3, seconds: hour },
  "subscription.account": { points: 20, seconds: hour },
  /**
   * Changes of a plan other than its cancellation, which can always be made. Each is mailed, and so is the cancellation after it. Whoever signs up with a
   * stranger's address and begins a trial could otherwise send 480 mails a day there.
   */
  "plan-change.account": { points: 6, seconds: day },
  "coupon.network": { points: 10, seconds: 10 * minute },
  /** Invalid coupon codes in requests for prices. */
  "coupon-look.network": { points: 10, seconds: 10 * minute },
  /** Attempts to enter the studio, one limit for each way. Successful attempts do not count. */
  "studio-by-link.network": { points: 30, seconds: 15 * minute },
  "studio-by-passkey.network": { points: 30, seconds: 15 * minute },
  "studio-by-company.network": { points: 30, seconds: 15 * minute },
  /** The same for one operator or link, when the network's attempts are used up: a stranger at the operators' address must not keep them out. */
  "studio-known.operator": { points: 30, seconds: 15 * minute },
  /** Requests for a sign-in link, for any operator. */
  "studio-mail.network": { points: 30, seconds: 15 * minute },
  /** Sign-in links for one operator: from one network, and from all. Above either limit, a link is sent only when no earlier one still works. */
  "studio-link.network": { points: 5, seconds: hour },
  "studio-link.address": { points: 20, seconds: hour },
  /** All calls of one operator together. */
  "studio.operator": { points: 1_200, seconds: minute },
  "coupon.account": { points: 20, seconds: day },
} as const satisfies Readonly<Record<string, LimitRule>>;
export type LimitName = keyof typeof limitRules;
export const limitNames: readonly LimitName[] = Object.keys(limitRules).filter(isLimitName);
export function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(limitRules, name);
}

/** A limit, with this installation's override applied. */
export const ruleOf = (name: LimitName, overrides: Readonly<Partial<Record<LimitName, LimitRule>>>): LimitRule =>
  overrides[name] ?? limitRules[name];

/**
 * Calls that are counted per network before their input is validated. Events, login, login-link and forgot-password count in their handlers: events
 * one by one, the others because a known device does not use up its network's limit.
 */
export const networkLimitOf: Readonly<Partial<Record<Endpoint, LimitName>>> = {
  signup: "signup.network",
  token: "token.network",
  resetLink: "reset-link.network",
  resetPassword: "reset-password.network",
  confirmEmail: "confirm-email.network",
  undoEmail: "undo-email.network",
  keepSubscription: "keep-subscription.network",
  checkEmail: "check-email.network",
  refresh: "refresh.network",
  questionnairePost: "questionnaire.network",
  consent: "consent.network",
  contractNotice: "contract-notice.network",
  reportError: "report-error.network",
  payLink: "payment.network",
  payLinkMail: "payment.network",
  createTransaction: "payment.network",
};

/**
 * Calls that are counted per account before their input is validated. They write and have no limit of their own. The list of sessions is counted too, because
 * it takes time in proportion to their number.
 */
export const accountLimitOf: Readonly<Partial<Record<Endpoint, LimitName>>> = {
  confirmByCode: "writes.account",
  studySchedule: "writes.account",
  updateName: "writes.account",
  marketingConsent: "writes.account",
  popup: "writes.account",
  sessions: "writes.account",
  endSessions: "writes.account",
};

/** Used when a network's limit is used up, for visitors who have been on the site for a while: a crowd can share one address. */
export const crowdLimitOf: Readonly<Partial<Record<Endpoint, LimitName>>> = { signup: "signup.crowd", checkEmail: "check-email.crowd" };

/** Calls whose success gives the point back: a link, a code or an account proves the network legitimate. */
export const freeOnSuccess: ReadonlySet<Endpoint> = new Set([
  "token",
  "resetLink",
  "resetPassword",
  "confirmEmail",
  "undoEmail",
  "keepSubscription",
  "payLink",
  "payLinkMail",
  "createTransaction",
]);

/**
 * A customer with a /48 has 65,536 networks. Together they get only the points of this many networks, and each quarter of those that is used doubles
 * the price of a try. Where one network has 30 tries an hour, they thus have 225.
 */
const networksPerSite = 16;
const priceSteps = 4;

/** After too many failed logins, the next try waits one minute, then two, then four, at most this. */
const longestLoginDelay = longestBlock;
const loginStrikesKept = day;

/** One try of a password. Guessers wait only for their own wrong passwords. */
export interface Guess {
  readonly email: string;
  /** A known device, a session, or a network. */
  readonly guesser: string;
  /** Whether this device or session belongs to the account. If so, other guessers' wrong passwords do not count against it. */
  readonly proven: boolean;
}

export interface Limits {
  /** Counts `points` (default 1) for a key and returns the refusal when the limit is exceeded. With 0 it only checks. */
  readonly take: (name: LimitName, key: string, points?: number) => Promise<Refusal<CodeOf<"tooMany">> | null>;
  /** Gives a point back, for example after a success. */
  readonly giveBack: (name: LimitName, key: string) => Promise<void>;
  /**
   * Takes a point for a key, makes the try, and gives the point back if the try was `good`. Tries for one key run one at a time. Returns what was
   * `found`, or the refusal when no point is left. With `tried`, the same wrong try counts once in the limit's window.
   */
  readonly guess: <T>(
    name: LimitName,
    key: string,
    make: () => Promise<{ readonly good: boolean; readonly found: T }>,
    tried?: string,
  ) => Promise<T | Refusal<CodeOf<"tooMany">>>;
  /** Counts a password try for an address. After a guesser's tenth wrong password in a row, each further one waits longer. */
  readonly takeLogin: (guess: Guess) => Promise<Refusal<CodeOf<"tooMany">> | null>;
  /** Undoes the count of a password that could not be compared in time. */
  readonly takeBack: (guess: Guess) => Promise<void>;
  readonly loginSucceeded: (guess: Guess) => Promise<void>;
}

const keyOf = ({ email, guesser }: Guess): string => `${email} ${guesser}`;

/** Caps a wait. The wait is computed from the clock, which may have been set back; counters expire by a timer, which was not. */
function atMost(ms: number, seconds: number): number {
  return Math.min(ms, seconds * 1000);
}

function tooMany(msToWait: number): Refusal<CodeOf<"tooMany">> {
  return refuse("tooMany", { retryAfterSeconds: Math.max(1, Math.ceil(msToWait / 1000)) });
}

/** Milliseconds to wait, or null when the limit is not exceeded. */
function consume(of: Counter, key: string, points: number): Promise<number | null> {
  return of.consume(key, points).then(
    () => null,
    (rejection: unknown) => {
      if (rejection instanceof RateLimiterRes) return atMost(rejection.msBeforeNext, of.duration);
      throw rejection;
    },
  );
}

/** Counts wrong passwords. A guesser with too many waits longer each time. */
function passwordLimits(
  limiter: (name: LimitName) => Counter,
  { counter }: Counters,
): Pick<Limits, "takeLogin" | "takeBack" | "loginSucceeded"> {
  const strikes = counter({ keyPrefix: "login.strikes", points: Number.MAX_SAFE_INTEGER, duration: loginStrikesKept, guarded: true });
  return {
    takeLogin: async (guess) => {
      const tries = limiter("login.guesser");
      const key = keyOf(guess);
      const blockedUntil = await tries.get(key);
      if (blockedUntil && blockedUntil.consumedPoints > tries.points)
        return tooMany(atMost(blockedUntil.msBeforeNext, Math.max(tries.duration, longestLoginDelay)));
      const before = (await strikes.get(key))?.consumedPoints ?? 0;
      // After a strike, one try uses up the whole window.
      const wait = await consume(tries, key, before > 0 ? tries.points : 1);
      if (wait === null) {
        const byAll = guess.proven ? null : await consume(limiter("login.email"), guess.email, 1);
        return byAll === null ? null : tooMany(byAll);
      }
      await strikes.penalty(key);
      const delay = Math.min(minute * 2 ** before, longestLoginDelay);
      await tries.block(key, delay);
      return tooMany(delay * 1000);
    },
    takeBack: async (guess) => {
      await limiter("login.guesser").reward(keyOf(guess));
      if (!guess.proven) await limiter("login.email").reward(guess.email);
    },
    loginSucceeded: async (guess) => {
      const key = keyOf(guess);
      await Promise.all([limiter("login.guesser").delete(key), strikes.delete(key)]);
      if (!guess.proven) await limiter("login.email").reward(guess.email);
    },
  };
}

/** Tells whether a wrong try was made before in its limit's window. Each counts from its first time on. */
function createRepetitions(overrides: Readonly<Partial<Record<LimitName, LimitRule>>>, counters: Counters) {
  const of = memoize((name: LimitName) =>
    counters.counter({ keyPrefix: `${name}.tried`, points: 1, duration: ruleOf(name, overrides).seconds, guarded: isGuarded(name) }),
  );
  return async (name: LimitName, key: string, tried: string) => (await consume(of(name), `${key} ${tried}`, 1)) !== null;
}

/** Whether a limit must not multiply with the number of processes: logins, codes, mails, money, exports, studio sign-in. */
function isGuarded(name: LimitName): boolean {
  const [what = ""] = name.split(".");
  return !openAnyway.has(what);
}
const openAnyway: ReadonlySet<string> = new Set([
  "questionnaire",
  "events",
  "event-kilobytes",
  "consent",
  "report-error",
  "page",
  "bodies",
  "small-bodies",
  "writes",
  "refresh",
  "check-email",
  "studio",
]);

/** Limits that protect the process itself, so that each process counts for itself. */
const ofProcess: ReadonlySet<LimitName> = new Set(["bodies.network", "small-bodies.network"]);

export function createLimits(
  overrides: Readonly<Partial<Record<LimitName, LimitRule>>>,
  /** Called for each refusal. */
  refused: (name: LimitName) => void = () => {},
  counters: Counters = memoryCounters,
): Limits {
  const limiters = new Map<LimitName, Counter>();
  const sites = new Map<LimitName, Counter>();
  for (const name of Object.keys(limitRules).filter(isLimitName)) {
    const { points, seconds } = ruleOf(name, overrides);
    const counted = { keyPrefix: name, points, duration: seconds, guarded: isGuarded(name) };
    limiters.set(name, (ofProcess.has(name) ? memoryCounters : counters).counter(counted));
    if (name.endsWith(".network"))
      sites.set(name, counters.counter({ ...counted, keyPrefix: `${name}.site`, points: points * networksPerSite }));
  }
  /** The price per point that a network last paid, if it was more than one. After a success, the network gets back what it paid. */
  const paid = new LRUCache<string, number>({ max: keysKept });
  const limiter = (name: LimitName): Counter => {
    const found = limiters.get(name);
    if (!found) throw new Error(`No limit ${name}`);
    return found;
  };

  /** Counts a try for its network, and for the /48 around it, if there is one. */
  function count(name: LimitName, key: string, points: number): Promise<number | null> {
    const site = siteOf(key);
    const of = sites.get(name);
    return site === key || of === undefined ? consume(limiter(name), key, points) : countAtSite(name, key, points, { site, of });
  }
  async function countAtSite(
    name: LimitName,
    key: string,
    points: number,
    { site, of }: { readonly site: string; readonly of: Counter },
  ): Promise<number | null> {
    const used = await of.get(site);
    // A /48 without points leaves no counter for each of its 65,536 networks.
    if (used !== null && used.consumedPoints > of.points && used.msBeforeNext > 0) return atMost(used.msBeforeNext, of.duration);
    // The price grows with what the /48 has used.
    const price = 2 ** Math.min(priceSteps, Math.floor((priceSteps * (used?.consumedPoints ?? 0)) / of.points));
    if (price > 1) paid.set(`${name} ${key}`, price);
    else paid.delete(`${name} ${key}`);
    return (await consume(limiter(name), key, points)) ?? (await consume(of, site, points * price));
  }
  const inTurn = createKeyedQueue();

  const take: Limits["take"] = async (name, key, points = 1) => {
    const wait = await count(name, key, points);
    if (wait === null) return null;
    // With 0 points this only checks.
    if (points > 0) refused(name);
    return tooMany(wait);
  };
  const giveBack: Limits["giveBack"] = async (name, key) => {
    await limiter(name).reward(key);
    const site = siteOf(key);
    if (site !== key) await sites.get(name)?.reward(site, paid.get(`${name} ${key}`) ?? 1);
  };

  const passwords = passwordLimits(limiter, counters);
  const isRepeated = createRepetitions(overrides, counters);
  return {
    take,
    giveBack,
    guess: (name, key, make, tried) =>
      inTurn(`${name} ${key}`, async () => {
        const refusal = await take(name, key);
        if (refusal !== null) return refusal;
        const { good, found } = await make();
        if (good || (tried !== undefined && (await isRepeated(name, key, tried)))) await giveBack(name, key);
        return found;
      }),
    ...passwords,
    takeLogin: async (guess) => {
      const refusal = await passwords.takeLogin(guess);
      if (refusal !== null) refused("login.guesser");
      return refusal;
    },
  };
}

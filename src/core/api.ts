/**
 * The HTTP contract as code (spec 000 §7, spec 001 §7): one row per call. The client, the server's routes, error mapping, OpenAPI and tests derive
 * from it.
 */
import * as codes from "./errorCodes.ts";
import * as v from "valibot";
import { consentChoiceSchema } from "./consent.ts";
import type { ErrorCode } from "./errors.ts";
import { eventBatchSchema, singleEventSchema, words } from "./events.ts";
import { defaultCountry } from "./localeReach.ts";
import { locales } from "./locales.ts";
import { paymentProviders, productSchema, productTypes, subscriptionActions } from "./products.ts";
import { levels } from "./questionnaire/levels.ts";
import { receivedStateSchema } from "./questionnaire/storedState.ts";
import { stateSchema } from "./questionnaire/state.ts";
import { asTyped, emailSchema, firstnameSchema as firstname, momentSchema, passwordSchema } from "./validation.ts";

export interface EndpointSpec {
  readonly method: "GET" | "POST" | "DELETE";
  /** Relative to the API base, without a leading slash; or an absolute path on the site's origin. */
  readonly path: string;
  readonly at: "api" | "site";
  /** `signature`: the handler checks the signature over the raw body. */
  readonly auth: "none" | "optional" | "bearer" | "signature";
  readonly query?: v.GenericSchema;
  readonly body?: v.GenericSchema;
  readonly output: v.GenericSchema;
  /** Default 200. */
  readonly status?: 200 | 202;
  /** Errors of this call only, without those of every call (`codesOfEveryCall`). */
  readonly errors: readonly ErrorCode[];
}

/** Headers that every call sends. */
export const clientHeaders = { client: "x-client", device: "x-device-id" } as const;
export const maxBodyBytes = 256 * 1024;
/** Larger states are rejected before they are parsed. Real ones are smaller. */
export const maxStateBytes = 64 * 1024;

/** The code of a mail. */
const mailedCode = v.pipe(v.string(), v.regex(/^\d{6}$/));
/** Addresses are stored and compared in lower case (spec 001 §5). */
const email = v.pipe(emailSchema, v.toLowerCase());
/** A password in NFC. The length is checked first: normalizing one letter with a hundred thousand accents takes seconds. */
const composed = v.pipe(v.string(), v.maxLength(1024, "validator_too_long"), v.normalize("NFC"));
/** A new password, compared in NFC and hashed in full. */
const newPassword = v.pipe(composed, passwordSchema);
/** No control characters and no lone surrogates: databases cannot store them unchanged. */
const printable = v.regex<string, "validator_format">(/^[^\p{Cc}\p{Cs}]*$/u, "validator_format");
/** Text that a page reports. NUL characters are removed, because PostgreSQL cannot store them. */
const reported = (maxLength: number) =>
  v.pipe(
    v.string(),
    v.maxLength(maxLength),
    v.transform((text) => text.replaceAll("\u0000", "")),
  );
const word = v.pipe(v.string(), v.maxLength(255), printable);
/**
 * An id from a campaign's link. Unsuitable characters are removed, because the device keeps the id and sends it with each call: if the
 * calls were refused, its visitor could never sign up or buy.
 */
const idOfLink = words(255);
const nonEmpty = v.pipe(v.string(), v.nonEmpty("validator_required"), v.maxLength(255), printable);
/** Text that somebody typed: not empty, at most `maxLength` characters. */
const typedText = (maxLength: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty("validator_required"),
    v.maxLength(maxLength, "validator_too_long"),
    v.transform(asTyped),
    v.nonEmpty("validator_required"),
  );
const uuid = v.pipe(v.string(), v.uuid());
const uiLanguage = v.picklist(locales);
const versionId = v.pipe(v.string(), v.nonEmpty("validator_required"), v.maxLength(16), printable);
const appVersion = v.pipe(v.string(), v.regex(/^v\d{1,4}\.\d{1,4}\.\d{1,4}$/));
const id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000));
const isoTime = momentSchema;
const opaqueToken = v.pipe(v.string(), v.nonEmpty("validator_required"), v.maxLength(512));
const target = v.optional(v.pipe(v.string(), v.regex(/^\d{1,2}$/)));
/** A password that is only compared. The rules apply to new passwords only. */
const enteredPassword = v.pipe(composed, v.nonEmpty("validator_required"));
/** The visitor's time zone by name ("America/Mexico_City"). */
const timeZone = v.optional(v.pipe(v.string(), v.maxLength(64), printable));
const couponCode = v.optional(v.pipe(v.string(), v.maxLength(64), printable));
const country = v.pipe(v.string(), v.regex(/^[A-Z]{2}$/));
const emptyObject = v.object({});
/** `many`: so many mails were asked for that perhaps none went out. It does not depend on whether the address has an account. */
const requestedMail = v.object({ many: v.optional(v.literal(true)) });

/** The message of a login response without a user (spec 000 §5). */
const noUser = "No user.uuid found!";
export const sessionSchema = v.object(
  {
    /** JWT, 15 minutes. */
    token: v.string(),
    /** Opaque, valid for 30 days, replaced at every use. */
    refreshToken: v.string(),
    backendUrl: v.string(),
    user: v.object({ uuid: v.pipe(v.string(noUser), v.uuid(noUser)), email: v.string(), firstname: v.nullable(v.string()) }, noUser),
    features: v.object({ questionnaire: v.object({ version: v.string(), completed: v.boolean(), entitlementExists: v.boolean() }) }),
  },
  // Valibot reports a missing field at the object around it.
  ({ expected, message }) => (expected === '"user"' ? noUser : message),
);
export type Session = v.InferOutput<typeof sessionSchema>;

export const configSchema = v.object({ uuid, questionnaireVersion: v.string(), completed: v.boolean(), entitlementExists: v.boolean() });
export type Config = v.InferOutput<typeof configSchema>;

/** Longer than any path through a questionnaire. */
const maxAnswers = 500;
const isId = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 1;
const isAnswer = (value: unknown): value is { questionId: number; optionId: number } =>
  typeof value === "object" &&
  value !== null &&
  "questionId" in value &&
  isId(value.questionId) &&
  "optionId" in value &&
  isId(value.optionId);
const isListOf =
  <T>(isItem: (value: unknown) => value is T) =>
  (value: unknown): value is T[] =>
    Array.isArray(value) && value.length <= maxAnswers && value.every(isItem);
/**
 * The ids of the items chosen from a list. The limit is far above any list's length. It exists because every reading of a state reads all
 * items.
 */
const chosenItems = v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(100, "validator_too_long"));
const ofUser = v.optional(v.pipe(v.string(), v.maxLength(255)));
/**
 * A saved state: limited in size, and without a password. Plain code checks its history, because a schema for each number took a sixth of
 * the time of a save.
 */
export const savedStateInputSchema = v.pipe(
  v.object({
    ...stateSchema.entries,
    visitedQuestionIds: v.custom<number[]>(isListOf(isId)),
    selectedOptions: v.pipe(
      v.custom<{ questionId: number; optionId: number }[]>(isListOf(isAnswer)),
      v.transform((answers) => answers.map(({ questionId, optionId }) => ({ questionId, optionId }))),
    ),
    user: v.object({ ...stateSchema.entries.user.entries, uuid: ofUser, email: ofUser, firstname: ofUser, uiLanguage: ofUser }),
    skillsToImprove: chosenItems,
    moreInfoOf: chosenItems,
    programChangeWish: chosenItems,
  }),
  v.forward(
    v.check((state) => state.user.password === undefined, "validator_no_password"),
    ["user", "password"],
  ),
);

const payLinkBody = v.object({
  productId: nonEmpty,
  returnPath: v.pipe(v.string(), v.maxLength(500), v.regex(/^\/(?:[^/\\\s][^\\\s]*)?$/)),
  paymentProvider: v.picklist(paymentProviders),
  language: uiLanguage,
  plan: v.nullish(word),
  couponCode,
  timeZone,
});

/** `cancel` ends a subscription; `withdraw` withdraws from a purchase. */
export const noticeKinds = ["cancel", "withdraw"] as const;
export const entitlementStatuses = ["active", "past_due", "deleted", "paused"] as const;
export const subscriptionSchema = v.object({
  status: v.picklist(entitlementStatuses),
  /** End of the paid period; null without one. */
  end: v.nullable(isoTime),
  productType: v.picklist(productTypes),
  productPlan: v.string(),
  currency: v.string(),
  /** Amount of the next charge in minor units. */
  price: v.number(),
  trialing: v.boolean(),
  nextCharge: v.nullable(isoTime),
  change: v.nullable(v.object({ action: v.picklist(["cancel", "pause", "resume"]), at: isoTime })),
  /** The time zone for its dates, the same as on the receipt. */
  timeZone: v.optional(v.string(), "UTC"),
  /** The last day of the money-back guarantee; null when nothing was paid or the day has passed. */
  moneyBackUntil: v.optional(v.nullable(v.pipe(v.string(), v.isoDate()))),
  actions: v.array(v.picklist(subscriptionActions)),
  /** If a cancellation now would shorten a renewed term: its end, and the amount paid back in minor units. */
  earlyEnd: v.optional(v.nullable(v.object({ end: isoTime, back: v.number() }))),
  /** What is paid back when a cancelled plan ends within its renewed term, in minor units; null when nothing is. */
  refundAtEnd: v.optional(v.nullable(v.number())),
  /** The level of the account's saved answers, which chooses the first lesson. */
  level: v.optional(v.nullable(v.picklist(levels))),
  /** The account's questionnaire version, in which a lapsed customer reactivates. The device may have another version open. */
  version: v.optional(v.string()),
  /** What was refunded of an ended plan, in minor units; null when nothing was. */
  refunded: v.optional(v.nullable(v.number())),
});
export type SubscriptionView = v.InferOutput<typeof subscriptionSchema>;
export const paymentStatuses = ["pending", "completed", "cancelled", "failed"] as const;

export const endpoints = {
  geo: {
    method: "GET",
    path: "/geo.json",
    at: "site",
    auth: "none",
    /**
     * `country`: the default if another service answers without one, with an empty text or with XX (unknown). `countryKnown` is false when the country is
     * a default. Then the strictest consent rules apply. `locale`: none if another service names none of ours.
     */
    output: v.object({
      backendUrlWeb: v.string(),
      locale: v.fallback(v.optional(uiLanguage), undefined),
      country: v.fallback(v.pipe(v.string(), v.toUpperCase(), v.regex(/^(?!XX)[A-Z]{2}$/)), defaultCountry),
      countryKnown: v.optional(v.boolean(), false),
    }),
    errors: [],
  },
  config: {
    method: "GET",
    path: "config",
    at: "api",
    auth: "none",
    query: v.object({
      version: appVersion,
      uiLanguage,
      campaignId: v.optional(idOfLink),
      versionId: v.optional(idOfLink),
      advertisementId: v.optional(idOfLink),
    }),
    output: configSchema,
    errors: [codes.invalidInput],
  },
  checkEmail: {
    method: "POST",
    path: "check-email",
    at: "api",
    auth: "none",
    body: v.object({ email }),
    output: v.object({ available: v.literal(true) }),
    errors: [codes.invalidInput, codes.emailTaken, codes.tooMany],
  },
  signup: {
    method: "POST",
    path: "signup",
    at: "api",
    auth: "none",
    body: v.object({
      uuid,
      firstname: v.optional(firstname),
      email,
      password: newPassword,
      uiLanguage,
      questionnaire: versionId,
      version: appVersion,
    }),
    output: v.object({ backendUrl: v.string(), user: v.object({ uuid }) }),
    errors: [codes.invalidInput, codes.uuidTaken, codes.emailTaken, codes.tooMany],
  },
  login: {
    method: "POST",
    path: "login",
    at: "api",
    auth: "none",
    /** `refreshToken`: of the browser's earlier session. The new session replaces it, so it ends. */
    body: v.object({ email, password: enteredPassword, refreshToken: v.optional(opaqueToken) }),
    output: sessionSchema,
    errors: [codes.invalidInput, codes.wrongCredentials, codes.tooMany],
  },
  refresh: {
    method: "POST",
    path: "refresh",
    at: "api",
    auth: "none",
    /** `attempt`: a secret that the client makes for a refresh, and repeats until it gets an answer (decision 228). */
    body: v.object({ refreshToken: v.string(), attempt: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{16,64}$/))) }),
    output: sessionSchema,
    errors: [codes.invalidInput, codes.invalidRefreshToken, codes.tooMany],
  },
  logout: {
    method: "POST",
    path: "logout",
    at: "api",
    auth: "bearer",
    body: v.object({ refreshToken: v.optional(v.string()) }),
    output: emptyObject,
    errors: [codes.invalidInput, codes.invalidAccessToken],
  },
  loginLink: {
    method: "POST",
    path: "login-link",
    at: "api",
    auth: "none",
    body: v.object({ email, target, discount: couponCode }),
    output: requestedMail,
    status: 202,
    errors: [codes.invalidInput, codes.tooMany],
  },
  token: {
    method: "POST",
    path: "token",
    at: "api",
    auth: "none",
    /**
     * `refreshToken` is that of the browser's earlier session. This session ends if it belongs to the same account. `knownAddress` is the address that
     * the browser remembers: a link of another account is then refused (1403) and not used up, and `fields.email` is the account's address.
     */
    body: v.union([
      v.object({ token: opaqueToken, refreshToken: v.optional(opaqueToken), knownAddress: v.optional(v.string()) }),
      v.object({ email, code: mailedCode, refreshToken: v.optional(opaqueToken) }),
    ]),
    output: sessionSchema,
    errors: [codes.invalidInput, codes.invalidLink, codes.forbidden, codes.tooMany],
  },
  confirmEmail: {
    method: "POST",
    path: "confirm-email",
    at: "api",
    auth: "none",
    body: v.object({ confirmToken: opaqueToken }),
    /**
     * `email`: the confirmed address, to fill in at the next login. Absent if the sign-up's address was confirmed already. `passwordEnded`: the account
     * did not know this device, so its password and sessions have ended (decision 047).
     */
    output: v.object({ email: v.optional(v.string()), passwordEnded: v.optional(v.boolean()) }),
    errors: [codes.invalidInput, codes.invalidConfirmToken, codes.emailTaken, codes.tooMany],
  },
  /**
   * Confirms the account's unconfirmed address with the code of the mail, on a device that the account knows: its password, sessions and known devices
   * stay (decision 224).
   */
  confirmByCode: {
    method: "POST",
    path: "confirm-by-code",
    at: "api",
    auth: "bearer",
    body: v.object({ code: mailedCode }),
    output: emptyObject,
    errors: [codes.invalidInput, codes.invalidAccessToken, codes.invalidLink, codes.tooMany],
  },
  /** Restores the account's previous e-mail address. Ends every session and login link of the person who changed it. */
  undoEmail: {
    method: "POST",
    path: "undo-email",
    at: "api",
    auth: "none",
    body: v.object({ token: opaqueToken }),
    /** The restored address. */
    output: v.object({ email: v.string() }),
    errors: [codes.invalidInput, codes.invalidLink, codes.emailTaken, codes.tooMany],
  },
  /** Undoes a cancellation that was made without login. The token comes from the mail to the subscription's owner (decision 211). */
  keepSubscription: {
    method: "POST",
    path: "keep-subscription",
    at: "api",
    auth: "none",
    body: v.object({ token: opaqueToken }),
    output: v.object({}),
    errors: [codes.invalidInput, codes.invalidLink, codes.providerFailed, codes.tooMany],
  },
  forgotPassword: {
    method: "POST",
    path: "forgot-password",
    at: "api",
    auth: "none",
    query: v.object({ target }),
    body: v.object({ email }),
    output: requestedMail,
    status: 202,
    errors: [codes.invalidInput, codes.tooMany],
  },
  /** Tells whether a password reset link is still valid, and for which account. Called before the visitor types the new password. */
  resetLink: {
    method: "POST",
    path: "reset-link",
    at: "api",
    auth: "none",
    body: v.object({ token: opaqueToken }),
    output: v.object({ email: v.string() }),
    errors: [codes.invalidInput, codes.invalidLink, codes.tooMany],
  },
  resetPassword: {
    method: "POST",
    path: "reset-password",
    at: "api",
    auth: "none",
    body: v.object({ token: opaqueToken, password: newPassword }),
    output: emptyObject,
    errors: [codes.invalidInput, codes.invalidLink, codes.tooMany],
  },
  questionnaireGet: {
    method: "GET",
    path: "questionnaire",
    at: "api",
    auth: "bearer",
    query: v.object({ uuid }),
    /** The next save sends `savedAt` back to name the state that it is based on. */
    output: v.object({ state: v.nullable(receivedStateSchema), savedAt: v.optional(isoTime) }),
    errors: [codes.invalidInput, codes.invalidAccessToken, codes.forbidden],
  },
  questionnairePost: {
    method: "POST",
    path: "questionnaire",
    at: "api",
    auth: "bearer",
    /**
     * `savedAt` names the state that this one is based on. If a newer one is stored, the save is refused (`newerExists`). Without
     * `savedAt` the last save wins.
     */
    body: v.object({ state: savedStateInputSchema, userLevel: v.nullish(v.picklist(levels)), savedAt: v.optional(isoTime) }),
    output: v.object({ savedAt: isoTime }),
    errors: [codes.invalidInput, codes.invalidAccessToken, codes.forbidden, codes.newerExists, codes.tooMany],
  },
  studySchedule: {
    method: "POST",
    path: "study-schedule",
    at: "api",
    auth: "bearer",
    body: v.object({
      uuid,
      id,
      months: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60)),
      practiseDaysPerWeek: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7)),
      minutesPerSession: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(600)),
      days: v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(6))), v.maxLength(7)),
    }),
    output: emptyObject,
    errors: [codes.invalidInput, codes.invalidAccessToken, codes.forbidden, codes.tooMany],
  },
  updateName: {
    method: "POST",
    path: "update-name",
    at: "api",
    auth: "bearer",
    body: v.object({ firstname }),
    output: emptyObject,
    errors: [codes.invalidInput, codes.invalidAccessToken, codes.tooMany],
  },
  /** The account's current e-mail address, and what changing it requires. */
  email: {
    method: "GET",
    path: "email",
    at: "api",
    auth: "bearer",
    output: v.object({
      email: v.string(),
      confirmed: v.boolean(),
      /** A new address that is not confirmed yet. */
      pending: v.nullable(v.string()),
      needsPassword: v.boolean(),
    }),
    errors: [codes.invalidAccessToken],
  },
  updateEmail: {
    method: "POST",
    path: "update-email",
    at: "api",
    auth: "bearer",
    /** Changing a confirmed address requires the password, or a session that a link has just opened. */
    body: v.object({ email, password: v.optional(enteredPassword) }),
    /** True while the old address stays in use until the new one is confirmed. */
    output: v.object({ pending: v.optional(v.boolean(), false) }),
    errors: [codes.invalidInput, codes.wrongCredentials, codes.invalidAccessToken, codes.emailTaken, codes.tooMany],
  },
  marketingConsent: {
    method: "POST",
    path: "marketing-consent",
    at: "api",
    auth: "bearer",
    body: v.object({ consent: v.boolean() }),
    output: emptyObject,
    errors: [codes.invalidInput, codes.invalidAccessToken, codes.tooMany],
  },
  popup: {
    method: "POST",
    path: "popup",
    at: "api",
    auth: "bearer",
    body: v.object({ uuid, questionnaire: versionId, popupId: v.picklist(["MarketingConsent"]) }),
    output: emptyObject,
    errors: [codes.invalidInput, codes.invalidAccessToken, codes.forbidden, codes.tooMany],
  },
  sendEvent: {
    method: "POST",
    path: "send-event",
    at: "api",
    auth: "optional",
    body: v.union([eventBatchSchema, singleEventSchema]),
    output: v.object({ accepted: v.number() }),
    status: 202,
    errors: [codes.invalidInput, codes.tooMany],
  },
  /** Records a consent choice. Sending the same id again has no effect. */
  consent: {
    method: "POST",
    path: "consent",
    at: "api",
    auth: "optional",
    body: consentChoiceSchema,
    output: emptyObject,
    errors: [codes.invalidInput, codes.tooMany],
  },
  /** Ends a contract without login. The answer is the same whether or not the person or contract exists (decision 132). */
  contractNotice: {
    method: "POST",
    path: "contract-notice",
    at: "api",
    auth: "none",
    body: v.object({
      /** The client chooses the id: a notice that is sent twice counts once. */
      id: uuid,
      kind: v.picklist(noticeKinds),
      name: typedText(100),
      /** An order number, or the program's name. */
      contract: typedText(100),
      email,
      language: uiLanguage,
      forCause: v.optional(v.boolean(), false),
      reason: v.optional(typedText(500)),
      /** At most two years ahead. */
      notBefore: v.nullish(v.pipe(v.string(), v.isoDate())),
      timeZone,
    }),
    /** When it arrived. */
    output: v.object({ at: isoTime }),
    errors: [codes.invalidInput, codes.tooMany],
  },
  reportError: {
    method: "POST",
    path: "report-error",
    at: "api",
    auth: "none",
    body: v.object({
      message: reported(2_000),
      stack: v.optional(reported(20_000)),
      url: reported(2_000),
      appVersion: reported(32),
      /** Names of the build, the questionnaire version and the page. */
      release: v.optional(v.pipe(v.string(), v.maxLength(64), printable)),
      questionnaire: v.optional(word),
      route: v.optional(word),
    }),
    output: emptyObject,
    status: 202,
    errors: [codes.invalidInput, codes.tooMany],
  },
  courseFee: {
    method: "POST",
    path: "feature/course-fee",
    at: "api",
    auth: "bearer",
    body: v.object({
      trafficId: v.nullish(idOfLink),
      attributes: v.object({
        questionnaire: versionId,
        plan: v.nullish(word),
        reactivate: v.optional(v.boolean(), false),
        locale: uiLanguage,
        country,
      }),
    }),
    output: v.object({ value: v.array(v.string()) }),
    errors: [codes.invalidInput, codes.invalidAccessToken],
  },
  products: {
    method: "GET",
    path: "products",
    at: "api",
    auth: "none",
    query: v.object({
      productIds: v.pipe(v.string(), v.nonEmpty("validator_required"), v.maxLength(2_000), printable),
      customerCountry: country,
      /** The page's locale: sets the currency of visitors whose country is unknown. */
      locale: v.optional(v.picklist(locales)),
      couponCode,
    }),
    output: v.object({ products: v.array(productSchema) }),
    errors: [codes.invalidInput, codes.notSold],
  },
  payLink: {
    method: "POST",
    path: "pay-link",
    at: "api",
    auth: "bearer",
    body: payLinkBody,
    output: v.object({ url: v.string(), id: v.string() }),
    errors: [codes.invalidInput, codes.invalidAccessToken, codes.notSold, codes.providerFailed, codes.tooMany],
  },
  /** Mails the checkout link of the same order, for visitors who can open neither the form nor the hosted page. */
  payLinkMail: {
    method: "POST",
    path: "pay-link-mail",
    at: "api",
    auth: "bearer",
    body: payLinkBody,
    output: emptyObject,
    status: 202,
    errors: [codes.invalidInput, codes.invalidAccessToken, codes.notSold, codes.providerFailed, codes.tooMany],
  },
  /** Mails the plan that a visitor agreed to, when they do not buy now. */
  planMail: {
    method: "POST",
    path: "plan-mail",
    at: "api",
    auth: "bearer",
    body: v.object({ language: uiLanguage, questionnaire: versionId, question: v.pipe(v.string(), v.regex(/^\d{1,3}$/)), timeZone }),
    output: emptyObject,
    status: 202,
    errors: [codes.invalidInput, codes.invalidAccessToken, codes.tooMany],
  },
  createTransaction: {
    method: "POST",
    path: "create-transaction",
    at: "api",
    auth: "bearer",
    body: v.object({ couponCode, pricingId: nonEmpty, timeZone }),
    output: v.object({ transactionId: v.string() }),
    errors: [codes.invalidInput, codes.invalidAccessToken, codes.notSold, codes.providerFailed, codes.tooMany],
  },
  paymentStatus: {
    method: "POST",
    path: "payment-status",
    at: "api",
    auth: "bearer",
    /** An empty id means the account's latest payment. */
    body: v.object({ paymentId: word, paymentProvider: v.picklist(paymentProviders) }),
    output: v.object({
      status: v.picklist(paymentStatuses),
      /** What was bought, for the purchase events; absent until it is paid. Money in minor units. */
      purchase: v.optional(
        v.nullable(
          v.object({
            orderId: v.string(),
            productId: v.string(),
            productType: v.picklist(productTypes),
            productPlan: v.string(),
            currency: v.string(),
            price: v.number(),
            trialDays: v.number(),
            couponCode: v.nullable(v.string()),
          }),
        ),
      ),
    }),
    errors: [codes.invalidInput, codes.invalidAccessToken],
  },
  entitlement: {
    method: "GET",
    path: "entitlement",
    at: "api",
    auth: "bearer",
    /** Newest first. An `end` that contains 0001 means none (spec 001 §3). */
    output: v.object({ entitlements: v.array(v.object({ status: v.optional(v.picklist(entitlementStatuses)), end: v.string() })) }),
    errors: [codes.invalidAccessToken],
  },
  /** The account's plan: its status, the next charge and the possible actions. */
  subscription: {
    method: "GET",
    path: "subscription",
    at: "api",
    auth: "bearer",
    output: v.object({ subscription: v.nullable(subscriptionSchema) }),
    errors: [codes.invalidAccessToken],
  },
  subscriptionChange: {
    method: "POST",
    path: "subscription",
    at: "api",
    auth: "bearer",
    /** An action that leads to a charge requires a known device or the password. */
    body: v.object({ action: v.picklist(subscriptionActions), password: v.optional(enteredPassword) }),
    output: v.object({ subscription: v.nullable(subscriptionSchema) }),
    errors: [codes.invalidInput, codes.wrongCredentials, codes.invalidAccessToken, codes.notSold, codes.providerFailed, codes.tooMany],
  },
  /** The provider's own page for changing the card. */
  subscriptionCard: {
    method: "POST",
    path: "subscription-card",
    at: "api",
    auth: "bearer",
    /** Required on an unknown device. */
    body: v.object({ password: v.optional(enteredPassword) }),
    output: v.object({ url: v.string() }),
    errors: [codes.invalidInput, codes.wrongCredentials, codes.invalidAccessToken, codes.notSold, codes.providerFailed, codes.tooMany],
  },
  /** The account's open sessions, the most recently used first. */
  sessions: {
    method: "GET",
    path: "sessions",
    at: "api",
    auth: "bearer",
    output: v.object({
      sessions: v.array(
        v.object({
          id: uuid,
          /** Browser and system; empty when unknown. */
          browser: v.string(),
          startedAt: isoTime,
          usedAt: isoTime,
          /** The session that asks. */
          current: v.boolean(),
        }),
      ),
    }),
    errors: [codes.invalidAccessToken, codes.tooMany],
  },
  endSessions: {
    method: "DELETE",
    path: "sessions",
    at: "api",
    auth: "bearer",
    /** Ends one session, or all but the one that asks. The password is required on an unknown device. */
    body: v.object({ id: v.optional(uuid), password: v.optional(enteredPassword) }),
    output: emptyObject,
    errors: [codes.invalidInput, codes.wrongCredentials, codes.invalidAccessToken, codes.tooMany],
  },
  accountExport: {
    method: "GET",
    path: "account",
    at: "api",
    auth: "bearer",
    output: v.record(v.string(), v.unknown()),
    errors: [codes.invalidAccessToken, codes.tooMany],
  },
  accountErase: {
    method: "DELETE",
    path: "account",
    at: "api",
    auth: "bearer",
    /** The password may be missing only in a session that a link has just opened, on the device that opened it. */
    body: v.object({ password: v.optional(enteredPassword) }),
    output: emptyObject,
    errors: [codes.invalidInput, codes.wrongCredentials, codes.invalidAccessToken, codes.tooMany],
  },
  webhookPaddleBilling: {
    method: "POST",
    path: "webhooks/paddle-billing",
    at: "api",
    auth: "signature",
    output: emptyObject,
    errors: [codes.invalidSignature],
  },
  webhookPaddleClassic: {
    method: "POST",
    path: "webhooks/paddle-classic",
    at: "api",
    auth: "signature",
    output: emptyObject,
    errors: [codes.invalidSignature],
  },
} as const satisfies Readonly<Record<string, EndpointSpec>>;

/** A key of the contract table. */
export type Endpoint = keyof typeof endpoints;
type Row<K extends Endpoint> = (typeof endpoints)[K];
/** What a handler receives: parsed, with defaults filled in and unknown fields dropped. */
export type Query<K extends Endpoint> =
  Row<K> extends { readonly query: infer S extends v.GenericSchema } ? v.InferOutput<S> : Readonly<Record<never, never>>;
export type Body<K extends Endpoint> =
  Row<K> extends { readonly body: infer S extends v.GenericSchema } ? v.InferOutput<S> : Readonly<Record<never, never>>;
/** What a client sends. */
export type QueryInput<K extends Endpoint> =
  Row<K> extends { readonly query: infer S extends v.GenericSchema } ? v.InferInput<S> : Readonly<Record<never, never>>;
export type BodyInput<K extends Endpoint> =
  Row<K> extends { readonly body: infer S extends v.GenericSchema } ? v.InferInput<S> : Readonly<Record<never, never>>;
export type Output<K extends Endpoint> = v.InferOutput<Row<K>["output"]>;
export type Auth<K extends Endpoint> = Row<K>["auth"];
/** The error codes that the handler of a call may return. */
export type ErrorOf<K extends Endpoint> = Row<K>["errors"][number];

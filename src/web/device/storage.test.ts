import { expect, test } from "vitest";
import { memoryStore, personalKeys, replacedSession, storageKeys, storedStart } from "./storage.ts";

const named =
  "token refreshToken signupEmail signupName config paymentStatus paymentRetryUrl paymentProvider product theme oldOSWarning".split(" ");
const ofQuestionnaires = ["Version", "Target", "State", "Root", "Reset", "Skip"].map((what) => `questionnaire${what}`);
/** The next event's number, unsent events and the counted purchase: losing one would falsify the counts. */
const ofEvents = ["eventSequence", "earlyEvents", "purchaseReported"];
/** The consent to cookies, and a mark that the question for marketing consent is still to come. */
const ofConsent = ["consent", "marketingConsentDue"];
/** The discount of a reactivation, kept through the login. */
const ofReactivating = ["discount"];
/** The typed coupon, which the checkout needs too. */
const ofOffer = ["coupon"];
/** The mark that the visitor has the app, so that pages do not ask again. */
const afterPaying = ["hasApp"];

const ofRenewing = "tokenAttempt";

test("the device keeps the specification's keys and the product's own, and no others (spec 000 §3)", () => {
  expect(storageKeys.toSorted()).toEqual(
    [
      ...named,
      ...ofQuestionnaires,
      ...ofEvents,
      ...ofConsent,
      ...ofReactivating,
      ...ofOffer,
      ...afterPaying,
      ofRenewing,
      "parlando",
    ].toSorted(),
  );
});

test("a logout clears all but the device store, the seen warning and the counting of events", () => {
  expect(storageKeys.filter((key) => !personalKeys.includes(key))).toEqual(["oldOSWarning", ...ofEvents, "parlando"]);
});

test("the stored start is a question's number, or none", () => {
  const store = memoryStore();
  expect(storedStart(store)).toBeUndefined();
  store.set("questionnaireRoot", "7");
  expect(storedStart(store)).toBe(7);
  store.set("questionnaireRoot", "x");
  expect(storedStart(store)).toBeUndefined();
});

test("a login names the session that it replaces, if there is one", () => {
  const store = memoryStore();
  expect(replacedSession(store)).toEqual({});
  store.set("refreshToken", "r1");
  expect(replacedSession(store)).toEqual({ refreshToken: "r1" });
});

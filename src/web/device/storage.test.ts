import { expect, test } from "vitest";
import { memoryStore, personalKeys, storageKeys, storedStart } from "./storage.ts";

const named =
  "token refreshToken signupEmail signupName config paymentStatus paymentRetryUrl paymentProvider product theme oldOSWarning".split(" ");
const ofQuestionnaires = ["Version", "Target", "State", "Root", "Reset", "Skip"].map((what) => `questionnaire${what}`);
/** The place of the next event, those that nothing could send yet, and the purchase that was counted: losing any would count wrongly. */
const ofEvents = ["eventSequence", "earlyEvents", "purchaseReported"];
/** The choice of cookies, and that consent to news is still to be asked for. */
const ofConsent = ["consent", "marketingConsentDue"];
/** What reactivating a plan was offered at, kept through the login. */
const ofReactivating = ["discount"];
/** The code that was typed at the offer, which the checkout must have too. */
const ofOffer = ["coupon"];
/** That the visitor has the app: nobody is asked to get it again. */
const afterPaying = ["hasApp"];

test("the device keeps the specification's keys and the product's own, and no others (spec 000 §3)", () => {
  expect(storageKeys.toSorted()).toEqual(
    [...named, ...ofQuestionnaires, ...ofEvents, ...ofConsent, ...ofReactivating, ...ofOffer, ...afterPaying, "parlando"].toSorted(),
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

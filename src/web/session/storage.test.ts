import { expect, test } from "vitest";
import { personalKeys, storageKeys } from "./storage.ts";

const named =
  "token refreshToken signupEmail signupName config paymentStatus paymentRetryUrl paymentProvider product theme oldOSWarning".split(" ");
const ofQuestionnaires = ["Version", "Target", "State", "Root", "Reset", "Skip"].map((what) => `questionnaire${what}`);

test("the device keeps the specification's keys and the product's own, and no others (spec 000 §3)", () => {
  expect(storageKeys.toSorted()).toEqual([...named, ...ofQuestionnaires, "parlando"].toSorted());
});

test("whoever leaves takes along all but the device's own store and the warning already seen", () => {
  expect(storageKeys.filter((key) => !personalKeys.includes(key))).toEqual(["oldOSWarning", "parlando"]);
});

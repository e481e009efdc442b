/** Sign-up with an existing account (spec 001 §4, "Submit flow", §8). */
import type { ErrorCode } from "#core/errors.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { initialState } from "#core/questionnaire/step.ts";
import { mexico, questionnaire, smallQuestions } from "#test/questionnaires.ts";
import { expect, test } from "vitest";
import { fakeApi, refusal } from "./fakeApi.ts";
import { memoryStore } from "../device/storage.ts";
import { submitAnswer } from "./submit.ts";

async function signUpIn(
  version: string,
  refused: { readonly signup?: ErrorCode; readonly login?: ErrorCode; readonly opens?: string; readonly accountVersion?: string },
  coupon?: { readonly code: string },
) {
  const options = [{ id: 1, description: "Seguir", followUpQuestion: 73 }];
  const compiled = compile(
    questionnaire([...smallQuestions, { id: 70, contents: [{ type: "signupPassword" }], options }], {
      id: version,
      ...(coupon === undefined ? {} : { coupon }),
    }),
  );
  const uuid = "8a0b6c0e-0f55-4d5c-8f0b-1a2b3c4d5e6f";
  const store = memoryStore();
  store.set("paymentStatus", "completed");
  const outcome = await submitAnswer(
    {
      compiled,
      questionId: 70,
      optionId: 1,
      state: initialState(compiled, { uuid, email: "ana@example.com" }),
      context: mexico,
      fields: { email: "", password: "hablo-mucho-9", firstname: "" },
    },
    {
      api: fakeApi({
        signup: () => {
          if (refused.signup !== undefined) throw refusal(refused.signup);
          return { backendUrl: "", user: { uuid } };
        },
        login: () => {
          if (refused.opens === undefined) throw refusal(refused.login ?? 1001);
          const features = { questionnaire: { version: refused.accountVersion ?? version, completed: false, entitlementExists: false } };
          const user = { uuid: refused.opens, email: "ana@example.com", firstname: null };
          return { token: "t", refreshToken: "r", backendUrl: "", user, features };
        },
      }),
      store,
      setUser: () => {},
      signedUp: () => Promise.resolve(),
    },
  );
  return { outcome, token: store.get("token"), paid: store.get("paymentStatus") === "completed" };
}

test.each([
  ["an account that exists", { signup: 1101 }, "Signup failed!"],
  ["a sign-up refused otherwise", { signup: 1000 }, "Signup failed!"],
  ["a login refused after signing up", { login: 1001 }, "Login failed!"],
] as const)("%s stops at account-exists in the specification's words, with nothing stored (001 §8)", async (_name, refused, message) => {
  expect(await signUpIn("76", refused)).toEqual({
    outcome: { route: "login/account-exists", error: new Error(message) },
    token: null,
    paid: true,
  });
});

test("in the discount variant 69 only an existing account leads to reactivation (spec 001 §4)", async () => {
  expect((await signUpIn("69", { signup: 1101 })).outcome).toEqual({ route: "questionnaire/reactivate" });
  expect((await signUpIn("69", { login: 1001 })).outcome).toMatchObject({ route: "login/account-exists" });
});

test("in 69 the right password leads there too, signed in; in other versions, and after a lost response, sign-up goes on, without another account's purchase", async () => {
  const [theirs, ours] = ["0b1c2d3e-4f50-4152-8384-95a6b7c8d9e0", "8a0b6c0e-0f55-4d5c-8f0b-1a2b3c4d5e6f"] as const;
  expect(await signUpIn("69", { signup: 1101, opens: theirs })).toEqual({
    outcome: { route: "questionnaire/reactivate", version: "69" },
    token: "t",
    paid: true,
  });
  expect(await signUpIn("69", { signup: 1101, opens: ours })).toEqual({ outcome: "answered", token: "t", paid: true });
  expect(await signUpIn("69", { opens: theirs })).toEqual({ outcome: "answered", token: "t", paid: false });
  expect(await signUpIn("76", { signup: 1101, opens: theirs })).toEqual({ outcome: "answered", token: "t", paid: false });
});

test("a visitor whom the password signs in reactivates in the account's own version, whose answers stay; the default replaces a retired version", async () => {
  const versionFor = async (accountVersion: string) => {
    const opens = "0b1c2d3e-4f50-4152-8384-95a6b7c8d9e0";
    const { outcome } = await signUpIn("69", { signup: 1101, opens, accountVersion });
    return typeof outcome === "object" && "version" in outcome ? outcome.version : null;
  };
  expect([await versionFor("83"), await versionFor("12")]).toEqual(["83", "76"]);
});

test("reactivation gets the questionnaire's coupon", async () => {
  expect((await signUpIn("69", { signup: 1101 }, { code: "summer" })).outcome).toEqual({
    route: "questionnaire/reactivate",
    query: { discount: "summer" },
  });
});

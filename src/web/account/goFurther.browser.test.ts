import type { Session } from "#core/api.ts";
import type { ApiError } from "../api/request.ts";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../device/storage.ts";
import { fakeApi, refusal } from "../session/fakeApi.ts";
import { freshSession } from "./goFurther.ts";

const sessionOf = (account: string): Session => ({
  token: `access of ${account}`,
  refreshToken: `next of ${account}`,
  backendUrl: "",
  user: { uuid: account, email: `${account}@example.com`, firstname: null },
  features: { questionnaire: { version: "76", completed: false, entitlementExists: false } },
});
const refused = refusal(1003);

/** A device with Ana's session. Meanwhile `during` happens there; then Ana's refresh is answered with `answer`, and Bea's is accepted. */
function device(answer: Session | ApiError, during: (store: ReturnType<typeof memoryStore>) => void) {
  const store = memoryStore();
  store.set("refreshToken", "ana");
  const api = fakeApi({
    refresh() {
      const used = store.get("refreshToken");
      if (used === "bea") return sessionOf("bea");
      if (used === null) throw refused;
      during(store);
      if ("token" in answer) return answer;
      throw answer;
    },
  });
  return { store, api, result: freshSession({ api, store }) };
}

describe("a stored session with new tokens", () => {
  test.each([sessionOf("ana"), refused])("is another account's if that one has logged in before the answer came", async (answer) => {
    const { store, api, result } = device(answer, (store) => store.set("refreshToken", "bea"));
    expect((await result).user.uuid).toBe("bea");
    expect(api.calls).toMatchObject([
      ["refresh", { refreshToken: "ana" }],
      ["refresh", { refreshToken: "bea" }],
    ]);
    expect(store.get("refreshToken")).toBe("bea");
  });

  test("is none after a logout", async () => {
    const { store, result } = device(sessionOf("ana"), (store) => store.remove("refreshToken"));
    await expect(result).rejects.toBe(refused);
    expect(store.get("refreshToken")).toBeNull();
  });

  test("ends if it is refused", async () => {
    const { store, result } = device(refused, () => undefined);
    await expect(result).rejects.toBe(refused);
    expect(store.get("refreshToken")).toBeNull();
  });
});

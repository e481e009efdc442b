import type { Session } from "#core/api.ts";
import * as codes from "#core/errorCodes.ts";
import { describe, expect, test } from "vitest";
import type { Api } from "../api/client.ts";
import { ApiError } from "../api/request.ts";
import { memoryStore } from "../device/storage.ts";
import { freshSession } from "./goFurther.ts";

const sessionOf = (account: string): Session => ({
  token: `access of ${account}`,
  refreshToken: `next of ${account}`,
  backendUrl: "",
  user: { uuid: account, email: `${account}@example.com`, firstname: null },
  features: { questionnaire: { version: "76", completed: false, entitlementExists: false } },
});
const refused = new ApiError(401, "refresh-token", codes.invalidRefreshToken, "", {});

/** A device with Ana's session. Meanwhile `during` happens there; then Ana's refresh is answered with `answer`. */
function device(answer: Session | ApiError, during: (store: ReturnType<typeof memoryStore>) => void) {
  const store = memoryStore();
  store.set("refreshToken", "ana");
  const asked: unknown[] = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `refresh` is called
  const api = {
    call: async (_: string, { body }: { body: { refreshToken: string } }) => {
      asked.push(body.refreshToken);
      if (body.refreshToken === "bea") return sessionOf("bea");
      if (body.refreshToken !== "ana") throw refused;
      during(store);
      if (answer instanceof ApiError) throw answer;
      return answer;
    },
  } as unknown as Api;
  return { store, asked, result: freshSession({ api, store }) };
}

describe("a stored session with new tokens", () => {
  test.each([sessionOf("ana"), refused])("is another account's if that one has logged in before the answer came", async (answer) => {
    const { store, asked, result } = device(answer, (store) => store.set("refreshToken", "bea"));
    expect((await result).user.uuid).toBe("bea");
    expect(asked).toEqual(["ana", "bea"]);
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

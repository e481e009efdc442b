import { createTestWorld, testSettings } from "#test/app.ts";
import type { Settings } from "#server/base/settings.ts";
import { describe, expect, it } from "vitest";
import { createKnownDevices } from "./knownDevices.ts";

describe("a device", () => {
  const devicesOf = (changes: Partial<Settings> = {}) => createKnownDevices(testSettings(changes), createTestWorld());
  const account = (uuid: string, epoch = "first") => ({ uuid, trust_epoch: epoch });
  /** The cookie as the device sends it back. */
  const sent = (setCookie: string) => setCookie.slice(0, setCookie.indexOf(";"));
  const proofIn = (cookie: string) => cookie.slice(cookie.indexOf("=") + 1);

  it("is known to the last four accounts that it logged in to, under a separate, stable id for each", () => {
    const devices = devicesOf();
    let cookie: string | undefined;
    const comeIn = (...names: readonly string[]) => {
      for (const name of names) cookie = sent(devices.remember(cookie, account(name)));
    };
    const known = (...names: readonly string[]) => names.filter((name) => devices.knownAs(cookie, account(name)) !== null);
    expect(known("a")).toEqual([]);
    comeIn("a", "b", "c", "d", "e");
    expect(known("a", "b", "c", "d", "e")).toEqual(["b", "c", "d", "e"]);
    const ids = ["b", "c", "d", "e"].map((name) => devices.knownAs(cookie, account(name)));
    expect(new Set(ids).size).toBe(4);
    comeIn("d", "f");
    expect(known("a", "b", "c", "d", "e", "f")).toEqual(["c", "d", "e", "f"]);
    expect(devices.knownAs(cookie, account("d"))).toBe(ids[2]);
    expect(proofIn(cookie ?? "").split("~")).toHaveLength(4);
  });

  it("presents at most four proofs, among any other cookies", () => {
    const devices = devicesOf();
    const proofs = ["a", "b", "c", "d", "e"].map((name) => proofIn(sent(devices.remember(undefined, account(name)))));
    const five = `parlando-device=${proofs.join("~")}`;
    const known = (cookies: string) =>
      ["a", "b", "c", "d", "e"].filter((name) => devices.knownAs(cookies, account(name)) !== null).join("");
    expect(known(five)).toBe("abcd");
    for (const cookies of [`x=1;${five};y=2`, `x=1;  ${five}; y=2`, `x=${five}; ${five}`]) expect(known(cookies)).toBe("abcd");
    expect(known(`parlando-device=none~${proofs[0]}~${proofs[1]}x~x${proofs[2]}`)).toBe("a");
    for (const none of ["", "x=1", `other-${five}`]) expect(known(none)).toBe("");
    // An invalid proof is dropped when a new one is added.
    const kept = devices.remember(`parlando-device=none~${proofs[0]}`, account("f"));
    expect(proofIn(sent(kept)).split("~").slice(1)).toEqual([proofs[0]]);
  });

  it("is unknown to another account, and to one whose known devices were revoked", () => {
    const devices = devicesOf();
    const cookie = sent(devices.remember(undefined, account("a")));
    expect(devices.knownAs(cookie, account("a"))).toMatch(/^[\w-]{22}$/);
    for (const other of [account("b"), account("a", "second")]) expect(devices.knownAs(cookie, other)).toBeNull();
  });

  it("is known by a proof of an older key, which is then re-signed with the current one", () => {
    const [older, both, newer] = ([["old"], ["new", "old"], ["new"]] as const).map((secretKeys) => devicesOf({ secretKeys }));
    const cookie = sent(older?.remember(undefined, account("a")) ?? "");
    const id = both?.knownAs(cookie, account("a"));
    expect([id === null, newer?.knownAs(cookie, account("a"))]).toEqual([false, null]);
    expect(newer?.knownAs(sent(both?.remember(cookie, account("a")) ?? ""), account("a"))).toBe(id);
  });

  it.each([
    ["https://parlando.example/api", "Path=/api; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure"],
    ["https://api.example/v1", "Path=/v1; Max-Age=31536000; HttpOnly; SameSite=None; Secure"],
    ["http://parlando.example/api", "Path=/api; Max-Age=31536000; HttpOnly; SameSite=Lax"],
  ])("shows it to the back end alone, for a year: %s", (backendUrl, attributes) => {
    const setCookie = devicesOf({ backendUrl }).remember(undefined, account("a"));
    expect(setCookie.slice(setCookie.indexOf("; ") + 2)).toBe(attributes);
  });
});

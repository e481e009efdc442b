import { mexico } from "#test/questionnaires.ts";
import { afterEach, expect, it, vi } from "vitest";
import { contextOf } from "./deviceContext.ts";
import type { Snapshot } from "./session.ts";

afterEach(() => void vi.unstubAllGlobals());

const served: Pick<Snapshot, "context"> = {
  context: { ...mexico, country: "CL", platform: "other", requiresMarketingConsent: true, today: "2020-01-01" },
};

it("the device's country, platform and date replace the server's; without a country the server's stays, and no consent is required", () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 20, 12) });
  vi.stubGlobal("navigator", { userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X)", maxTouchPoints: 5 });
  const device = { ...served.context, platform: "apple", today: "2026-11-20" };
  expect(contextOf(served, { country: "DE" })).toEqual({ ...device, country: "DE", requiresMarketingConsent: true });
  expect(contextOf(served, { country: "MX" })).toEqual({ ...device, country: "MX", requiresMarketingConsent: false });
  expect(contextOf(served, { country: undefined })).toEqual({ ...device, country: "CL", requiresMarketingConsent: false });
  vi.useRealTimers();
});

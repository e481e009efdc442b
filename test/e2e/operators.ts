/** Operators of a running site: signed in by a link, as an invitation lets them in, and with a passkey of the browser's own. */
import type { Role } from "#studio/contract/call.ts";
import type { Page } from "@playwright/test";
import axe from "axe-core";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { expect, type RunningSite } from "./site.ts";

/** Signs a new operator of a role in; the page then shows Settings. */
export async function enterStudio(page: Page, site: RunningSite, role: Role, name = `Op ${role}`): Promise<{ readonly email: string }> {
  const [id, token, now] = [randomUUID(), randomBytes(32).toString("base64url"), Date.now()];
  const email = `${id}@team.example`;
  site.change(
    "INSERT INTO operators (id, address, name, role, created_at) VALUES (?, ?, ?, ?, CAST(? AS INTEGER))",
    id,
    email,
    name,
    role,
    String(now),
  );
  site.change(
    "INSERT INTO operator_links (id, token_hash, purpose, operator_id, created_at, expires_at) VALUES (?, ?, 'invitation', ?, CAST(? AS INTEGER), CAST(? AS INTEGER))",
    randomUUID(),
    createHash("sha256").update(token).digest("base64url"),
    id,
    String(now),
    String(now + 60_000),
  );
  await page.goto(`${site.url}/studio/enter#${token}`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  return { email };
}

/** Gives the page's browser a device that holds passkeys and whose owner always agrees. */
export async function giveAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  });
}

/** What axe finds wrong with the page as it stands. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  // The studio lets no other script run: axe is put in by the browser itself.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await Reflect.get(globalThis, "axe").run(document, { resultTypes: ["violations"] });
    return violations.map(
      ({ id, nodes }: { readonly id: string; readonly nodes: readonly { readonly html: string }[] }) =>
        `${id}: ${nodes.map(({ html }) => html).join(" | ")}`,
    );
  });
}

/** Operators of a running site, signed in by an invitation's link or by a passkey of the browser. */
import { hashOf } from "#server/base/keys.ts";
import { builtCode } from "#server/releases/builtCode.ts";
import { operatorTokens } from "#server/studio/operators/links.ts";
import type { Role } from "#studio/contract/call.ts";
import { proofsBy } from "#test/releaseProofs.ts";
import type { Page } from "@playwright/test";
import axe from "axe-core";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type RunningSite } from "./site.ts";

/** Signs in a new operator with this role. The page then shows Settings. */
export async function enterStudio(page: Page, site: RunningSite, role: Role, name = `Op ${role}`): Promise<{ readonly email: string }> {
  const [id, link, now] = [randomUUID(), randomUUID(), Date.now()];
  const token = operatorTokens([readFileSync(join(site.dataDir, "secret-key"), "utf8").trim()]).of(link);
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
    link,
    hashOf(token),
    id,
    String(now),
    String(now + 60_000),
  );
  for (const { hash, code, proof } of proofsBy(builtCode()))
    site.change("INSERT OR IGNORE INTO release_proofs (hash, code, proof, at) VALUES (?, ?, ?, 0)", hash, code, proof);
  await page.goto(`${site.url}/studio/enter#${token}`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  return { email };
}

/** Adds a virtual authenticator that always approves. */
export async function giveAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  });
}

/** The accessibility faults that axe finds on the page. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  // The studio's content security policy allows no other scripts, so axe is injected by the browser.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await Reflect.get(globalThis, "axe").run(document, { resultTypes: ["violations"] });
    return violations.map(
      ({ id, nodes }: { readonly id: string; readonly nodes: readonly { readonly html: string }[] }) =>
        `${id}: ${nodes.map(({ html }) => html).join(" | ")}`,
    );
  });
}

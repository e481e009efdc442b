/** For tests: a company's sign-in (OIDC) on a local port. */
import { createOidcStandin } from "#standins/oidc/plugin.ts";
import type { OidcSettings } from "#server/base/settings.ts";
import Fastify from "fastify";

export interface Company {
  readonly settings: OidcSettings;
  /** Signs in at `url`. @returns the redirect back, with its code */
  readonly signIn: (url: string, email: string, verified?: boolean) => Promise<URL>;
  readonly close: () => Promise<void>;
}

export async function startCompany(port: number): Promise<Company> {
  const settings = { issuer: `http://localhost:${port}`, clientId: "studio", clientSecret: "of the studio", name: "Example Ltd." };
  const app = Fastify();
  await app.register(await createOidcStandin({ ...settings, prefix: "", now: Date.now }));
  await app.listen({ host: "localhost", port });
  return {
    settings,
    signIn: async (url, email, verified = true) => {
      const authorized = new URL(url.replace("/authorize?", "/authorized?"));
      authorized.searchParams.set("email", email);
      if (verified) authorized.searchParams.set("verified", "yes");
      const { headers } = await fetch(authorized, { redirect: "manual" });
      return new URL(headers.get("location") ?? "");
    },
    close: () => app.close(),
  };
}

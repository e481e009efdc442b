/** Signing in by mailed link, passkey or OIDC. Each starts a new session and ends the browser's old one. */
import type { operatorsCalls } from "#studio/contract/operators.ts";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { inConstantTime } from "../../base/constantTime.ts";
import { refuse } from "../../base/refusal.ts";
import type { Services } from "../../handlers/shared/services.ts";
import type { Queries } from "../../store/schema.ts";
import { recordAction } from "../audit.ts";
import type { BrowserSession, Operator, StudioHandlers } from "../handler.ts";
import { addressByCompany, beginCompanySignIn } from "./company.ts";
import { createOperatorLink, hasSignInLink, mailOperatorLink, openLinkOf, type OperatorLink, takeLink, wasJustMailed } from "./links.ts";
import { addOperator, hasOperators, operatorByAddress, operatorById } from "./operators.ts";
import { operatorOfPasskey, beginPasskeySignIn } from "./passkeys.ts";
import { type EnteredBy, startSession } from "./sessions.ts";

type Calls = typeof operatorsCalls;
type Entering = Pick<
  Calls,
  "waysIn" | "signInLink" | "linkOwner" | "enterByLink" | "passkeyWanted" | "enterByPasskey" | "companyWanted" | "enterByCompany"
>;

/** Starts an operator's session within the caller's write. The cookie is set after the commit. */
export async function enter(
  queries: Queries,
  { world }: Services,
  operator: Operator,
  way: { readonly enteredBy: EnteredBy; readonly browserSession: BrowserSession; readonly network: string },
): Promise<string> {
  const { browserSession, network, enteredBy } = way;
  if (browserSession.sessionId !== null)
    await queries
      .updateTable("operator_sessions")
      .set({ ended_at: world.now() })
      .where("id", "=", browserSession.sessionId)
      .where("ended_at", "is", null)
      .execute();
  await recordAction(queries, world, {
    operator,
    action: "signed in",
    subject: `operator ${operator.name}`,
    after: { by: enteredBy, browser: browserSession.browser, network },
  });
  return startSession(queries, world, { operatorId: operator.id, enteredBy, browser: browserSession.browser, network });
}

/** The operator to whom a link belongs. The link for the first operator creates that operator, if there is none yet. */
async function ownerOf(
  queries: Queries,
  { world }: Services,
  link: OperatorLink,
  said: { readonly email?: string | undefined; readonly name?: string | undefined },
): Promise<Operator | null> {
  if (link.purpose !== "first") return link.operatorId === null ? null : operatorById(queries, link.operatorId);
  if (said.email === undefined || said.name === undefined || (await hasOperators(queries))) return null;
  return addOperator(queries, world, { email: said.email, name: said.name, role: "admin" }, null);
}

/**
 * Mails an operator a sign-in link, at most once a minute. A stranger's requests cannot lock the operator out: above a limit, a link is still mailed
 * when the operator has none open.
 */
async function mailSignInLink(
  { store, world, settings, limits, mail }: Services,
  email: string,
  network: string,
): Promise<Record<string, never>> {
  const over = (await limits.take("studio-link.network", `${email} ${network}`)) ?? (await limits.take("studio-link.address", email));
  await store.write(async (queries) => {
    const operator = await operatorByAddress(queries, email);
    if (
      operator === null ||
      (await wasJustMailed(queries, world, operator.id)) ||
      (over !== null && (await hasSignInLink(queries, world, operator.id)))
    )
      return;
    const link = await createOperatorLink(queries, world, settings.secretKeys, { purpose: "sign-in", operatorId: operator.id });
    await mailOperatorLink(queries, world, { linkId: link.id, purpose: "sign-in", recipient: operator.email, invitedBy: null });
  });
  mail.wake();
  return {};
}

export const enteringHandlers: StudioHandlers<Entering> = {
  waysIn: async (_call, { settings }) => ({
    host: new URL(settings.publicUrl).host,
    live: settings.production,
    company: settings.oidc?.name ?? null,
  }),

  signInLink: async ({ input, network }, services) => inConstantTime(services.world, mailSignInLink(services, input.email, network)),

  linkOwner: async ({ input }, { store, world, settings }) => {
    const link = await openLinkOf(store.read, world, settings.secretKeys, input.token);
    if (link === null) return refuse("invalidLink");
    if (link.purpose === "first") return (await hasOperators(store.read)) ? refuse("invalidLink") : { purpose: link.purpose, email: null };
    const owner = link.operatorId === null ? null : await operatorById(store.read, link.operatorId);
    return owner === null ? refuse("invalidLink") : { purpose: link.purpose, email: owner.email };
  },

  enterByLink: async ({ input, browserSession, network }, services) => {
    const { store, world, settings } = services;
    const link = await openLinkOf(store.read, world, settings.secretKeys, input.token);
    if (link === null) return refuse("invalidLink");
    if (link.purpose === "first" && (input.email === undefined || input.name === undefined))
      return refuse("invalidInput", { fields: { [input.email === undefined ? "email" : "name"]: "validator_required" } });
    const entered = await store.write(async (queries) => {
      if (!(await takeLink(queries, world, link))) return null;
      const operator = await ownerOf(queries, services, link, input);
      if (operator === null) return null;
      return { operator, token: await enter(queries, services, operator, { enteredBy: "link", browserSession, network }) };
    });
    if (entered === null) return refuse("invalidLink");
    browserSession.setSession(entered.token);
    return entered.operator;
  },

  passkeyWanted: (_call, { store, world, settings }) => beginPasskeySignIn({ store, world, publicUrl: settings.publicUrl }),

  enterByPasskey: async ({ input, browserSession, network }, services) => {
    const { store, world, settings } = services;
    const operatorId = await operatorOfPasskey(
      { store, world, publicUrl: settings.publicUrl },
      // The library validates every field.
      { challenge: input.challenge, credential: input.credential as unknown as AuthenticationResponseJSON },
    );
    const entered =
      operatorId === null
        ? null
        : await store.write(async (queries) => {
            const operator = await operatorById(queries, operatorId);
            if (operator === null) return null;
            return { operator, token: await enter(queries, services, operator, { enteredBy: "passkey", browserSession, network }) };
          });
    if (entered === null) return refuse("invalidLink");
    browserSession.setSession(entered.token);
    return entered.operator;
  },

  companyWanted: async ({ log }, { store, world, settings }) => {
    if (settings.oidc === null) return refuse("notFound");
    return (await beginCompanySignIn({ store, world, settings, log }, settings.oidc)) ?? refuse("notReady");
  },

  enterByCompany: async ({ input, browserSession, network, log }, services) => {
    const { store, world, settings } = services;
    if (settings.oidc === null) return refuse("notFound");
    const email = await addressByCompany({ store, world, settings, log }, settings.oidc, input);
    if (email === null) return refuse("invalidLink");
    const entered = await store.write(async (queries) => {
      const operator = await operatorByAddress(queries, email);
      if (operator === null) return null;
      return { operator, token: await enter(queries, services, operator, { enteredBy: "company", browserSession, network }) };
    });
    // The company knows them, but no admin has invited them.
    if (entered === null) return refuse("forbidden");
    browserSession.setSession(entered.token);
    return entered.operator;
  },
};

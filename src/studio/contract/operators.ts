/** Calls for signing in, the operator's own access, all operators, and the audit. */
import * as codes from "#core/errorCodes.ts";
import * as v from "valibot";
import { roles, type StudioCalls } from "./call.ts";

const id = v.pipe(v.string(), v.uuid());
const address = v.pipe(v.string(), v.trim(), v.toLowerCase(), v.maxLength(254), v.email("validator_email"));
const name = v.pipe(v.string(), v.trim(), v.minLength(1, "validator_required"), v.maxLength(80, "validator_too_long"));
const token = v.pipe(v.string(), v.minLength(20), v.maxLength(100));
/** A passkey response of the browser. The library validates it. */
const credential = v.pipe(
  v.looseObject({ id: v.pipe(v.string(), v.regex(/^[\w-]{0,1400}$/)), type: v.literal("public-key") }),
  v.check((value) => JSON.stringify(value).length <= 20_000, "validator_too_long"),
);
const nothing = v.object({});
/** The operator's reason for an action that affects a person or money. */
export const reasonSchema = v.pipe(v.string(), v.trim(), v.minLength(3, "validator_required"), v.maxLength(500, "validator_too_long"));

export const operatorSchema = v.object({ id: v.string(), email: v.string(), name: v.string(), role: v.picklist(roles) });
const passkeyOptions = v.object({ challenge: id, options: v.record(v.string(), v.unknown()) });
const sessionSchema = v.object({
  id: v.string(),
  enteredBy: v.string(),
  browser: v.string(),
  network: v.string(),
  startedAt: v.number(),
  seenAt: v.number(),
  isThis: v.boolean(),
});

export const operatorsCalls = {
  /** The available ways to sign in. */
  waysIn: {
    method: "GET",
    role: "anyone",
    input: nothing,
    output: v.object({ host: v.string(), live: v.boolean(), company: v.nullable(v.string()) }),
    errors: [],
  },
  /** Mails a sign-in link. The answer is the same for every address, so it does not reveal who is an operator. */
  signInLink: {
    method: "POST",
    role: "anyone",
    input: v.object({ email: address }),
    output: nothing,
    errors: [codes.invalidInput, codes.tooMany],
  },
  /** The owner of a valid link. Does not consume the link. */
  linkOwner: {
    method: "POST",
    role: "anyone",
    input: v.object({ token }),
    output: v.object({ purpose: v.picklist(["first", "invitation", "sign-in"]), email: v.nullable(v.string()) }),
    errors: [codes.invalidInput, codes.invalidLink, codes.tooMany],
  },
  /** Signs in by a link and consumes it. The first operator gives a name and an address. */
  enterByLink: {
    method: "POST",
    role: "anyone",
    input: v.object({ token, email: v.optional(address), name: v.optional(name) }),
    output: operatorSchema,
    errors: [codes.invalidInput, codes.invalidLink, codes.tooMany],
  },
  passkeyWanted: { method: "POST", role: "anyone", input: nothing, output: passkeyOptions, errors: [codes.tooMany] },
  enterByPasskey: {
    method: "POST",
    role: "anyone",
    input: v.object({ challenge: id, credential }),
    output: operatorSchema,
    errors: [codes.invalidInput, codes.invalidLink, codes.tooMany],
  },
  /** URL of the company's sign-in (OIDC), and the state that must come back. */
  companyWanted: {
    method: "POST",
    role: "anyone",
    input: nothing,
    output: v.object({ challenge: id, url: v.string() }),
    errors: [codes.notFound, codes.tooMany, codes.notReady],
  },
  enterByCompany: {
    method: "POST",
    role: "anyone",
    input: v.object({ challenge: id, search: v.pipe(v.string(), v.startsWith("?"), v.maxLength(4_000)) }),
    output: operatorSchema,
    errors: [codes.invalidInput, codes.invalidLink, codes.forbidden, codes.notFound, codes.tooMany],
  },

  me: {
    method: "GET",
    role: "viewer",
    input: nothing,
    output: v.object({
      operator: operatorSchema,
      host: v.string(),
      live: v.boolean(),
      /** Whether the installation holds example data. */
      exampleData: v.boolean(),
      now: v.number(),
      /** Number of passkeys. The studio offers one to operators without any. */
      passkeys: v.number(),
      /** Names of the admins: they can give another role. */
      admins: v.array(v.string()),
    }),
    errors: [],
  },
  signOut: { method: "POST", role: "viewer", input: nothing, output: nothing, errors: [] },
  myAccess: {
    method: "GET",
    role: "viewer",
    input: nothing,
    output: v.object({
      sessions: v.array(sessionSchema),
      passkeys: v.array(v.object({ id: v.string(), name: v.string(), createdAt: v.number(), usedAt: v.nullable(v.number()) })),
    }),
    errors: [],
  },
  mySessionEnd: { method: "POST", role: "viewer", input: v.object({ id }), output: nothing, errors: [codes.invalidInput, codes.notFound] },
  passkeyOffered: { method: "POST", role: "viewer", input: nothing, output: passkeyOptions, errors: [] },
  passkeyAdd: {
    method: "POST",
    role: "viewer",
    input: v.object({ challenge: id, credential, name }),
    output: nothing,
    errors: [codes.invalidInput, codes.invalidLink],
  },
  passkeyRemove: {
    method: "POST",
    role: "viewer",
    input: v.object({ id: v.pipe(v.string(), v.maxLength(1_400)) }),
    output: nothing,
    errors: [codes.invalidInput, codes.notFound],
  },

  operators: {
    method: "GET",
    role: "admin",
    input: nothing,
    output: v.array(
      v.object({
        ...operatorSchema.entries,
        createdAt: v.number(),
        seenAt: v.nullable(v.number()),
        sessions: v.number(),
        passkeys: v.number(),
        /** Expiry of a valid invitation; null without one. */
        invitedUntil: v.nullable(v.number()),
      }),
    ),
    errors: [],
  },
  /** Invites an operator, or mails a new link to one who was invited. */
  operatorInvite: {
    method: "POST",
    role: "admin",
    input: v.object({ email: address, name, role: v.picklist(roles) }),
    output: nothing,
    errors: [codes.invalidInput, codes.emailTaken, codes.tooMany],
  },
  operatorChange: {
    method: "POST",
    role: "admin",
    input: v.object({ id, role: v.picklist(roles), reason: reasonSchema }),
    output: nothing,
    errors: [codes.invalidInput, codes.forbidden, codes.notFound],
  },
  operatorRemove: {
    method: "POST",
    role: "admin",
    input: v.object({ id, reason: reasonSchema }),
    output: nothing,
    errors: [codes.invalidInput, codes.forbidden, codes.notFound],
  },
  operatorSessionsEnd: {
    method: "POST",
    role: "admin",
    input: v.object({ id, reason: reasonSchema }),
    output: nothing,
    errors: [codes.invalidInput, codes.notFound],
  },
  /** Audit rows, the latest first. */
  audit: {
    method: "GET",
    role: "admin",
    input: v.object({
      operator: v.optional(v.pipe(v.string(), v.maxLength(100))),
      action: v.optional(v.pipe(v.string(), v.maxLength(100))),
      subject: v.optional(v.pipe(v.string(), v.maxLength(200))),
      from: v.optional(v.pipe(v.string(), v.isoDate())),
      to: v.optional(v.pipe(v.string(), v.isoDate())),
      /** Cursor: rows before this one. */
      after: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}\.[\w-]{1,60}$/))),
      limit: v.optional(v.pipe(v.string(), v.regex(/^\d{1,4}$/), v.transform(Number), v.minValue(1), v.maxValue(1_000)), "100"),
    }),
    output: v.object({
      rows: v.array(
        v.object({
          id: v.string(),
          at: v.number(),
          operator: v.string(),
          action: v.string(),
          subject: v.string(),
          /** The account that it was about; null for none, and once it is erased. */
          person: v.nullable(v.string()),
          before: v.unknown(),
          after: v.unknown(),
          reason: v.nullable(v.string()),
        }),
      ),
      actions: v.array(v.string()),
      next: v.nullable(v.string()),
    }),
    errors: [codes.invalidInput],
  },
} as const satisfies StudioCalls;

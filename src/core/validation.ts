/** Validation of the sign-up and login fields (spec 001 §5). Messages are keys of the interface texts. */
import * as v from "valibot";

export const emailMaxLength = 254;
const emailLocalPartMaxLength = 64;
const passwordMinLength = 8;
/** Limits the cost of hashing a password. Longer than people type or password managers generate. */
export const passwordMaxLength = 128;
export const firstnameMaxLength = 50;

const validatorKeys = [
  "validator_required",
  "validator_invalid_email",
  "validator_at_least_8",
  "validator_password_format",
  "validator_too_long",
] as const;
export type ValidatorKey = (typeof validatorKeys)[number];

const key = (name: ValidatorKey) => name;
// RFC 5322's dot-atom.
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** Letters of any alphabet, digits and inner hyphens. */
const label = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
// No /i flag: together with /u it matches "ſ" and the Kelvin sign as s and k, which are different mailboxes.
const topLevelDomain = /^(?:\p{L}{2,63}|[Xx][Nn]--[A-Za-z0-9-]{1,59})$/u;

function isAddress(email: string): boolean {
  // Matching a longer address would take time. `maxLength` refuses it anyway.
  if (email.length > emailMaxLength) return false;
  const [local = "", domain = "", ...more] = email.split("@");
  const labels = domain.split(".");
  const last = labels.pop() ?? "";
  return (
    more.length === 0 &&
    local.length <= emailLocalPartMaxLength &&
    localPart.test(local) &&
    labels.length > 0 &&
    labels.every((part) => label.test(part)) &&
    topLevelDomain.test(last)
  );
}

/**
 * A valid address: trimmed, at most 254 characters, at most 64 before the @, with a top-level domain. Full-width letters are refused:
 * mail servers treat them as the same domain, but here they would make a second account.
 */
export const emailSchema = v.pipe(
  v.string(key("validator_required")),
  v.trim(),
  v.nonEmpty(key("validator_required")),
  v.maxLength(emailMaxLength, key("validator_invalid_email")),
  v.check((email) => isAddress(email) && email.normalize("NFKC") === email, key("validator_invalid_email")),
);

/** 8 to 128 characters, at least one of them not a space (the password-format rule). */
export const passwordSchema = v.pipe(
  v.string(key("validator_required")),
  v.nonEmpty(key("validator_required")),
  v.minLength(passwordMinLength, key("validator_at_least_8")),
  v.maxLength(passwordMaxLength, key("validator_too_long")),
  v.check((password) => password.trim() !== "", key("validator_password_format")),
);

/** Typed text, trimmed. Control characters, such as a pasted tab, and halves of characters become spaces: databases cannot store them unchanged. */
export const asTyped = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cs}]+/gu, " ").trim();

/** Trimmed, 1–50 characters, without control characters. */
export const firstnameSchema = v.pipe(
  v.string(key("validator_required")),
  v.trim(),
  v.nonEmpty(key("validator_required")),
  v.maxLength(firstnameMaxLength, key("validator_too_long")),
  v.transform(asTyped),
  v.nonEmpty(key("validator_required")),
);

/** A valid ISO 8601 time. Valibot's pattern also matches offsets that no clock has. */
export const momentSchema = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check((time) => !Number.isNaN(Date.parse(time)), "validator_format"),
);

const fieldSchemas = { email: emailSchema, password: passwordSchema, firstname: firstnameSchema };

/** The key of the message for a field's value, or null when the value is valid. */
export function fieldError(field: keyof typeof fieldSchemas, value: string): ValidatorKey | null {
  const result = v.safeParse(fieldSchemas[field], value);
  if (result.success) return null;
  const { message } = result.issues[0];
  return validatorKeys.find((known) => known === message) ?? "validator_required";
}

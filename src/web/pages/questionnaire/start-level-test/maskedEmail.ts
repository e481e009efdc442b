/** `lucia.ramos@ejemplo.mx` → `l•••s@ejemplo.mx`: the owner recognises it, others cannot read it. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const local = email.slice(0, at);
  const ends = local.length > 2 ? [local.slice(0, 1), local.slice(-1)] : [local.slice(0, 1), ""];
  return `${ends.join("•••")}${email.slice(at)}`;
}

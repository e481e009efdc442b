/** A random UUID (version 4). Pages without https, such as those of a phone that tries a server on this network, have no `crypto.randomUUID`. */
export function randomUuid(): string {
  const bytes = crypto
    .getRandomValues(new Uint8Array(16))
    .map((byte, at) => (at === 6 ? (byte & 15) | 64 : at === 8 ? (byte & 63) | 128 : byte));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

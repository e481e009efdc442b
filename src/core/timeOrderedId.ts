/** Ids that begin with their time (UUID version 7, RFC 9562): new ids are neighbors at the end of an index. */

/** @param random a random UUID (version 4) that fills all bits after the time */
export function timeOrderedId(at: number, random: string): string {
  const time = at.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

/** The time of an id in milliseconds since 1970; null for another UUID version. */
export function timeOfId(id: string): number | null {
  return id[14] === "7" ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;
}

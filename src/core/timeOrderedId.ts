/** An id that begins with its time (UUID version 7, RFC 9562): new ones lie together at the end of an index. */

/** @param random a random UUID (version 4), of which all but the time is kept */
export function timeOrderedId(at: number, random: string): string {
  const time = at.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

/** The time with which an id begins, ms; null when it is of another version. */
export function timeIn(id: string): number | null {
  return id[14] === "7" ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;
}

/** An id that begins with its time (UUID version 7, RFC 9562): new ones lie together at the end of an index. */

/** @param random a random UUID (version 4), of which all but the time is kept */
export function timeOrderedId(at: number, random: string): string {
  const time = at.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

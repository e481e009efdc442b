/** Limits the lines of one kind in the log, for what may happen with every call: while the database was down, one network filled 59 GB a day. */

const linesInAMinute = 30;
const minuteMs = 60_000;

/** @returns a function that tells before each line how many were left out since the last one; null when this one is left out, too */
export function createSparing(): () => number | null {
  let [began, lines, leftOut] = [-Infinity, 0, 0];
  return () => {
    const now = performance.now();
    if (now - began >= minuteMs) [began, lines] = [now, 0];
    if (lines >= linesInAMinute) {
      leftOut++;
      return null;
    }
    lines++;
    const before = leftOut;
    leftOut = 0;
    return before;
  };
}

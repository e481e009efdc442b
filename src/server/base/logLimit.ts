/** Limits the lines of one kind in the log. While the database was down, every call wrote one, and one network could cause 59 GB a day. */

const linesInAMinute = 30;
const minuteMs = 60_000;

/** @returns a function to call before each line: how many lines were left out since the last one, or null to leave out this one as well */
export function createLogLimit(): () => number | null {
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

/** For tests: a process whose machine's clock is wrong by CLOCK_WRONG_MS. `NODE_OPTIONS=--import=…/test/movedClock.ts` loads it before all else. */
const wrong = Number(process.env["CLOCK_WRONG_MS"]);
const RightDate = Date;
const now = () => RightDate.now() + wrong;

globalThis.Date = new Proxy(RightDate, {
  construct: (date, given: [] | [number], target) => Reflect.construct(date, given.length === 0 ? [now()] : given, target),
  apply: () => new RightDate(now()).toString(),
  get: (date, key) => (key === "now" ? now : Reflect.get(date, key)),
});

/** For tests: shifts the clock of a process by CLOCK_WRONG_MS. Load it first, by `NODE_OPTIONS=--import=…/test/movedClock.ts`. */
const wrong = Number(process.env["CLOCK_WRONG_MS"]);
const RightDate = Date;
const now = () => RightDate.now() + wrong;

globalThis.Date = new Proxy(RightDate, {
  construct: (date, given: [] | [number], target) => Reflect.construct(date, given.length === 0 ? [now()] : given, target),
  apply: () => new RightDate(now()).toString(),
  get: (date, key) => (key === "now" ? now : Reflect.get(date, key)),
});

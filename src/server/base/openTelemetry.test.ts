/** Who decides whether a trace is recorded. */
import { expect, it } from "vitest";
import { openTelemetry } from "./openTelemetry.ts";

const settings = { endpoint: "http://127.0.0.1:1", headers: {}, ratio: 0.5, service: "test" };
const flagOf = (header: string): string | undefined => header.split("-")[3];

it("a caller's trace is recorded by chance, whatever id and flag they choose; what it causes follows it", async () => {
  let next = 0;
  const tracing = openTelemetry(settings, () => next);
  const open = (parent: string) => tracing.open("GET page", "server", {}, parent);
  // The sampler keeps a new trace with the first id, and drops one with the second.
  for (const id of ["00000000000000000000000000000001", "ffffffffffffffffffffffffffffffff"])
    for (const flag of ["00", "01"]) {
      const parent = `00-${id}-00000000000000a1-${flag}`;
      next = 0.9;
      expect(flagOf(open(parent).header)).toBe("00");
      next = 0.1;
      const span = open(parent);
      expect([span.header.split("-")[1], flagOf(span.header)]).toEqual([id, "01"]);
    }
  await tracing.stop();
});

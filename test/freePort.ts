import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A free port. It is below the ephemeral range, where another connection could take it first, and above 10080, which browsers and `fetch`
 * block (https://fetch.spec.whatwg.org/#port-blocking).
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_081, 32_000);
    const probe = createServer().listen(port);
    const free = await once(probe, "listening").then(
      () => true,
      () => false,
    );
    if (!free) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}

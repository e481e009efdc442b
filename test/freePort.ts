import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port that nobody listens on. It lies below the system's own range, whose ports any connection could take before we do, and above
 * 10080, which browsers and `fetch` refuse (https://fetch.spec.whatwg.org/#port-blocking).
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

/** Repeats work until it succeeds: after a pause (ms), then after twice as long each time, and when the connection is back. */
export async function persistently<T>(work: () => Promise<T>, pause = 5_000): Promise<T> {
  try {
    return await work();
  } catch {
    await new Promise((again) => {
      setTimeout(again, pause);
      addEventListener("online", again, { once: true });
    });
    return persistently(work, 2 * pause);
  }
}

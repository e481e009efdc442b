export type Channel = ReturnType<typeof openChannel>;

/** What the form asks of the checkout, and what it tells the page around the frame. */
export function openChannel(base: string, id: string) {
  const tell = (message: object) => parent.postMessage(message, location.origin);
  return {
    height: (height: number) => tell({ kind: "height", height }),
    event: (name: string, data: unknown, more: object = {}) => tell({ kind: "event", event: { name, data, ...more } }),
    async call(path: string, body?: object) {
      const response = await fetch(
        `${base}/checkout/${id}${path}`,
        body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
      );
      const answer = await response.json();
      if (!response.ok) throw Object.assign(new Error(answer.error?.detail), { problem: answer.error });
      return answer;
    },
  };
}

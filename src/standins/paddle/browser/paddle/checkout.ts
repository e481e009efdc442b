/** Calls the checkout API that the form uses. Throws when it refuses, with the API's error text as `problem`. */
export async function askCheckout(base: string, path: string, body?: object): Promise<object> {
  const response = await fetch(
    `${base}/checkout${path}`,
    body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  );
  const answer: unknown = await response.json();
  const data = typeof answer === "object" && answer !== null ? answer : {};
  if (response.ok) return data;
  const problem = "error" in data && typeof data.error === "object" && data.error !== null ? data.error : {};
  throw Object.assign(new Error("detail" in problem ? String(problem.detail) : "request failed"), { problem });
}

export function errorEventOf(error: unknown): object {
  const problem = error instanceof Error && "problem" in error && typeof error.problem === "object" ? error.problem : {};
  return {
    name: "checkout.error",
    type: "front_end_error",
    code: "unknown_error",
    detail: String(error),
    documentation_url: "",
    ...problem,
  };
}

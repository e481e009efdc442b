/** Script of the developer page's switches and buttons. Sent to the browser as source text. */
export function runControl(): void {
  const main = document.querySelector("main");
  const told = document.querySelector("[data-told]");
  const base = main?.dataset["base"] ?? "";
  async function ask(action: string, input: object): Promise<void> {
    const response = await fetch(`${base}/control/${action}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    const answer = await response.json();
    if (response.ok) location.reload();
    else if (told) told.textContent = answer.error?.detail ?? "That did not work.";
  }
  for (const input of document.querySelectorAll<HTMLInputElement>("input[name=mode]"))
    input.addEventListener("change", () => void ask("mode", { mode: input.value }));
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-action]"))
    button.addEventListener(
      "click",
      () => void ask(button.dataset["action"] ?? "", { id: button.dataset["id"], provider: button.dataset["provider"] }),
    );
}

/** Script of the buyer's page for changing the card. Sent to the browser as source text. */
export function runPortal(): void {
  const main = document.querySelector("main");
  const form = document.querySelector("form");
  const problem = document.querySelector(".problem");
  if (main === null || form === null) return;
  const { base = "", id = "", provider = "", error = "", done = "" } = main.dataset;
  async function save(): Promise<void> {
    if (main === null || form === null) return;
    const fields = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    const response = await fetch(`${base}/portal/card`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...fields, id, provider }),
    });
    if (!response.ok) {
      if (problem) problem.textContent = error;
      return;
    }
    const words = document.createElement("p");
    words.className = "done";
    words.setAttribute("role", "status");
    words.textContent = done;
    form.replaceWith(words);
  }
  form.addEventListener("submit", (submitted) => {
    submitted.preventDefault();
    void save();
  });
}

/**
 * Completes a link that is followed before hydration. It adds what the server could not know: `hf`, as after hydration (`afterHydration.ts`), and the answers of
 * this visitor's earlier taps. A returning visitor's first answers are only on the device. So the server drops answers in the address that build on them.
 * The function is inlined in each page (`document.ts`), so it must not use outer names.
 * @returns the link's answers
 */
export function completedLink(link: HTMLAnchorElement | null): string {
  if (link?.origin !== location.origin) return "";
  const [query, here] = [new URLSearchParams(link.search), new URLSearchParams(location.search)];
  const earlier = here.get("a");
  let answers = query.get("a") || "";
  const follows = earlier && /^\d+\.\d+$/.test(answers) && !earlier.startsWith(`${answers.split(".")[0]}.`);
  if (follows) query.set("a", (answers = `${earlier}~${answers}`));
  if (here.has("hf")) query.set("hf", "");
  if (follows || here.has("hf")) link.search = String(query);
  return answers;
}

/** Names of all placeholders in the texts of any data. */
export function placeholdersIn(data: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (Array.isArray(data)) {
    const [kind, name] = data;
    if ((kind === "arg" || kind === "plural" || kind === "select") && typeof name === "string") found.add(name);
    for (const item of data) placeholdersIn(item, found);
  } else if (typeof data === "object" && data !== null) for (const value of Object.values(data)) placeholdersIn(value, found);
  return found;
}

/** Short browser names that people recognize in their list of sessions. */
const browsers = [
  ["Edge", /\bEdg(?:A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
] as const;
const systems = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["Mac", /\bMacintosh\b/],
  ["Linux", /\bLinux\b/],
] as const;
const first = (names: readonly (readonly [string, RegExp])[], agent: string) => names.find(([, pattern]) => pattern.test(agent))?.[0];

export function browserIn(userAgent: string): string {
  const agent = userAgent.slice(0, 500);
  const [browser, system] = [first(browsers, agent), first(systems, agent)];
  return `${browser ?? "A browser"}${system === undefined ? "" : ` on ${system}`}`;
}

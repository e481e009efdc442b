/** Short names of browsers and systems that people recognize in a list of sessions. */
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

const namesIn = (userAgent: string) => {
  const agent = userAgent.slice(0, 500);
  return { browser: first(browsers, agent), system: first(systems, agent) };
};

/** For operators: "Firefox on Windows". */
export function browserIn(userAgent: string): string {
  const { browser, system } = namesIn(userAgent);
  return `${browser ?? "A browser"}${system === undefined ? "" : ` on ${system}`}`;
}

/** The same in no language: "Firefox · Windows"; empty for an unknown one. */
export function browserNames(userAgent: string | undefined): string {
  const { browser, system } = namesIn(userAgent ?? "");
  return [browser, system].filter((name) => name !== undefined).join(" · ");
}

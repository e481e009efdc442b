/** Finds Firefox and WebKit for the tests in other browsers, or installs Debian's packages. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { install, mayInstall } from "./debian.ts";

export interface WebKit {
  /** Path of the WebDriver server. */
  readonly driver: string;
  /** Path of the browser. */
  readonly browser: string;
  /** Path of Xvfb, the virtual screen that WebKit needs. */
  readonly xvfb: string;
}

function onPath(...names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(":");
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
}

export function findFirefox(): string | undefined {
  return onPath("firefox-esr", "firefox");
}

/** Finds WebKit's MiniBrowser. Its folder depends on the architecture and the library's version. */
export function findWebKit(): WebKit | undefined {
  const folders = existsSync("/usr/lib") ? readdirSync("/usr/lib").filter((name) => name.endsWith("-linux-gnu")) : [];
  const browser = folders
    .flatMap((name) =>
      ["webkitgtk-6.0", "webkit2gtk-4.1", "webkit2gtk-4.0"].map((library) => join("/usr/lib", name, library, "MiniBrowser")),
    )
    .find((path) => existsSync(path));
  const driver = onPath("WebKitWebDriver");
  const xvfb = onPath("Xvfb");
  return driver === undefined || browser === undefined || xvfb === undefined ? undefined : { driver, browser, xvfb };
}

const wanted = [
  { name: "Firefox", packages: ["firefox-esr"], find: findFirefox },
  { name: "WebKit", packages: ["webkit2gtk-driver", "xvfb"], find: findWebKit },
] as const;

export interface MissingBrowser {
  readonly name: string;
  readonly why: string;
  /** Whether an installation was tried and failed. */
  readonly failed: boolean;
}

/** Other distributions use different package names. */
function isDebian(): boolean {
  return existsSync("/etc/os-release") && /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"));
}

/** Installs missing browsers. @returns those that are still missing, with the reason. */
export async function ensureOtherBrowsers(): Promise<readonly MissingBrowser[]> {
  const missing: MissingBrowser[] = [];
  for (const { name, packages, find } of wanted) {
    if (find() !== undefined) continue;
    const names = packages.join(" and ");
    if (!mayInstall()) {
      missing.push({ name, why: `It is not installed, and only root can install ${names} with apt-get.`, failed: false });
      continue;
    }
    const output = await install(...packages);
    if (find() === undefined) missing.push({ name, why: `apt-get could not install ${names}:\n${output}`, failed: isDebian() });
  }
  return missing;
}

import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { createServer } from "vite";
import { describe, expect, it, onTestFinished } from "vitest";
import { editedVersion } from "./funnelOverlay.ts";

const project = join(import.meta.dirname, "..");
const message = v.variant("type", [
  v.object({ type: v.literal("error"), err: v.object({ message: v.string() }) }),
  v.object({ type: v.literal("update"), updates: v.tuple([]) }),
]);

/** Starts Vite on a copy of the project, makes the edits, and collects the overlay's messages. */
async function development(edits: (edit: Edit) => void) {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "overlay-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const name of ["src", "scripts", "package.json", "tsconfig.json", "vite.config.ts"])
    cpSync(join(project, name), join(root, name), { recursive: true });
  symlinkSync(join(project, "node_modules"), join(root, "node_modules"));
  const edit: Edit = (file, change) => {
    const path = join(root, "src/content", file);
    writeFileSync(path, change(readFileSync(path, "utf8")));
  };
  edits(edit);
  const server = await createServer({
    root,
    configFile: join(root, "vite.config.ts"),
    cacheDir: join(root, ".vite"),
    optimizeDeps: { noDiscovery: true, include: [] },
    logLevel: "silent",
    server: { host: "127.0.0.1", port: 0 },
  });
  await server.listen();
  onTestFinished(() => server.close());
  const origin = server.resolvedUrls?.local[0] ?? expect.fail("no address");
  const told: string[] = [];
  const socket = new WebSocket(`${origin.replace("http", "ws")}?token=${server.config.webSocketToken}`, "vite-hmr");
  socket.addEventListener("message", ({ data }) => {
    const { success, output } = v.safeParse(message, JSON.parse(String(data)));
    if (success) told.push(output.type === "error" ? output.err.message : "sound");
  });
  return { edit, told, open: (path: string) => fetch(new URL(path, origin)) };
}
type Edit = (file: string, change: (text: string) => string) => void;

describe("the development overlay", () => {
  it("checks the version whose file was edited, or else the one in the browser", () => {
    expect(editedVersion("/project/src/content/questionnaires/v83.ts", "76")).toBe("83");
    expect(editedVersion("/project/src/content/questionnaires/base/level.ts", "76")).toBe("76");
    expect(editedVersion("/project/src/content/texts/questionnaire/de-DE.ts", null)).toBeNull();
  });

  it("reports a fault at the start, and the current state after each of ten edits", async () => {
    const own = readFileSync(join(project, "src/content/questionnaires/v73.ts"), "utf8");
    const version = (changes: string) => () =>
      own.replace(/questionnaire: .*/, `questionnaire: (t, it) => ({ ...shortVersion(t, it, { story: shortStory(t, it) }), ${changes} }),`);
    const shortcut = (to: number) => version(`shortcutQuestion: ${to}`);
    const { edit, told, open } = await development((early) => early("questionnaires/v73.ts", shortcut(990)));
    await open("/@content/questionnaire-73-en-US.js");
    const toldAnew = async (before: number) => {
      await expect.poll(() => told.length).toBeGreaterThan(before);
      return told[before]?.replaceAll(/\s+/g, " ");
    };
    const nowhere = (to: number) =>
      `Version 73 is not sound FAULT unknownQuestion: The shortcut leads to question ${to}, which does not exist.`;
    expect(await toldAnew(0)).toBe(nowhere(990));

    const german = "texts/questionnaire/de-DE.ts";
    const title = /("abroad\.title":\s*)"[^"]*"/;
    const edits: readonly [file: string, change: (text: string) => string, says: string | RegExp][] = [
      ["questionnaires/v73.ts", shortcut(991), nowhere(991)],
      ["questionnaires/v73.ts", shortcut(992), nowhere(992)],
      ["questionnaires/v73.ts", shortcut(60), "sound"],
      ["questionnaires/v73.ts", version("initialQuestion: 1"), /noInitialQuestion: The initial question 1 does not exist/],
      ["questionnaires/v73.ts", version("coupon: { code: 'NOTHING' }"), /missingCoupon: There is no coupon NOTHING/],
      ["questionnaires/v73.ts", shortcut(60), "sound"],
      [german, (text) => text.replace(title, '$1" "'), /emptyText: de-DE: question 8 has an empty text/],
      [german, (text) => text.replace(title, '$1"Hallo {"'), /malformed: de-DE: the text "abroad.title" cannot be parsed/],
      [german, (text) => text.replace(title, '$1"Hallo"'), "sound"],
      ["catalog/coupons.ts", (text) => `${text}\nthrow new Error("halfway through an edit");\n`, /cannot be read: halfway through an edit/],
    ];
    for (const [file, change, says] of edits) {
      const before = told.length;
      edit(file, change);
      expect(await toldAnew(before)).toMatch(says);
    }
  });
});

/** Stores a release that the build does not contain, as an earlier build would have. */
import { canonicalJson } from "#core/canonicalJson.ts";
import { releaseName } from "#core/release.ts";
import { createHash } from "node:crypto";
import * as v from "valibot";
import { expect, type RunningSite } from "./site.ts";

const fields = { id: v.number() };
const bundleSchema = v.looseObject({
  questionnaire: v.looseObject({
    questions: v.array(
      v.looseObject({
        ...fields,
        options: v.optional(v.array(v.looseObject(fields)), []),
        followUps: v.optional(v.array(v.unknown())),
      }),
    ),
    schedules: v.array(v.looseObject({ ...fields, followUpQuestion: v.optional(v.number()) })),
  }),
});
export type Draft = v.InferOutput<typeof bundleSchema>["questionnaire"];

/** Stores version 76 with changes. @returns the release's name in addresses */
export async function storeRelease(site: RunningSite, number: number, change: (draft: Draft) => void): Promise<string> {
  const shipped = () => site.rows("SELECT bundle FROM releases WHERE version = '76' AND number = 1")[0]?.["bundle"];
  // The server stores its own release when it starts to listen.
  await expect.poll(shipped).toBeDefined();
  const bundle = v.parse(v.pipe(v.string(), v.parseJson(), bundleSchema), shipped());
  change(bundle.questionnaire);
  const json = canonicalJson(bundle);
  const hash = createHash("sha256").update(json).digest("hex");
  site.change("INSERT OR IGNORE INTO releases (hash, version, number, bundle, at) VALUES (?, '76', ?, ?, '0')", hash, String(number), json);
  return releaseName(hash);
}

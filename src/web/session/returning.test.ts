import { replayAnswers } from "#core/questionnaire/answer-code.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { State } from "#core/questionnaire/state.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { expect, it } from "vitest";
import { memoryStore } from "../device/storage.ts";
import { ownReleaseAddress } from "./returning.ts";
import { renderedSnapshot } from "./session.ts";

const compiled = compile(smallQuestionnaire);
const [release, older] = ["0123456789ab", "ba9876543210"];
/** A state of an older release, with an answer that the served one no longer has. */
const own: State = {
  ...replayAnswers(compiled, "2.1", mexico),
  selectedOptions: [{ questionId: 2, optionId: 9 }],
  release: older,
};
const addressFor = (state: State | null, path = "/es-latam/habla-ingles/76/3/?hf=1") => {
  const page = { compiled, release, rendered: renderedSnapshot(compiled, mexico, "") };
  return ownReleaseAddress(page, state, memoryStore(), new URL(path, "https://parlando.example"));
};

it("a visitor who stays on an older release is sent to the same page in it", () => {
  expect(addressFor(own)).toBe(`/es-latam/habla-ingles/76/3/?hf=1&release=${older}`);
});

it("nobody is sent away without a state, from their own release, or when the served one takes over", () => {
  const { release: _, ...unmarked } = own;
  expect([addressFor(null), addressFor(unmarked), addressFor({ ...own, release }), addressFor({ ...own, finished: true })]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

it("an address that already asked for a release is not sent there again", () => {
  expect(addressFor(own, `/es-latam/habla-ingles/76/3/?release=${older}`)).toBeNull();
});

import { replayAnswers } from "#core/questionnaire/answer-code.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { State } from "#core/questionnaire/state.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../device/storage.ts";
import { begunAddress, laterAnswers, ownReleaseAddress } from "./returning.ts";
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

it("a question that the served release lacks is asked of the visitor's own, also where the page that says so has another version", () => {
  const missing = (version: string) => `/es-latam/habla-ingles/${version}/900/`;
  for (const state of [own, { ...own, finished: true }]) expect(addressFor(state, missing("76"))).toBe(`${missing("76")}?release=${older}`);
  expect(addressFor({ ...own, id: "83" }, missing("83"))).toBe(`${missing("83")}?release=${older}`);
});

it("where the visitor's release is gone and the served one lacks their question, they go on by their answers", () => {
  const gone = "/es-latam/habla-ingles/83/900/";
  const there = { ...own, id: "83", currentQuestionId: 900 };
  expect(addressFor(there, `${gone}?release=${older}`)).toBe(`/es-latam/habla-ingles/83/?a=2.9&release=${older}`);
  // Any other missing question stays missing.
  expect(addressFor({ ...there, currentQuestionId: 3 }, `${gone}?release=${older}`)).toBeNull();
});

it("nobody is sent to another release for a question of another version, of one that is gone, or without a release of their own", () => {
  const gone = "/es-latam/habla-ingles/77/900/";
  const { release: _, ...unmarked } = own;
  expect([
    addressFor({ ...own, id: "83" }, "/es-latam/habla-ingles/84/900/"),
    addressFor({ ...own, id: "77" }, gone),
    addressFor({ ...unmarked, finished: true }, "/es-latam/habla-ingles/76/900/"),
    addressFor({ ...own, id: "83" }, "/es-latam/habla-ingles/83/usuario/"),
  ]).toEqual([null, null, null, null]);
});

const page = { compiled, rendered: renderedSnapshot(compiled, mexico, "") };
const at = (path: string) => new URL(path, "https://parlando.example");
const begun = replayAnswers(compiled, "2.1~3.1~41.1", mexico);

describe("an early tap on a link of the embedded question, by a visitor who has begun,", () => {
  const fill = "/es-latam/habla-ingles/76/2/?a=2.2&utm_source=mail";
  const chosen = "/es-latam/habla-ingles/76/3/?a=2.2&utm_source=mail";
  const leads = (state: State | null, path: string, { from = "/es-latam/", redirected = false, paid = false } = {}) => {
    const store = memoryStore();
    if (paid) store.set("paymentStatus", "completed");
    return begunAddress(page, state, store, at(path), { from, redirected });
  };

  it("fills in nothing, and leads to where they were, in their version; a customer to the plan", () => {
    expect(leads(begun, fill)).toBe("/es-latam/habla-ingles/76/42/?utm_source=mail");
    expect(leads({ ...begun, id: "83" }, fill)).toBe("/es-latam/habla-ingles/83/42/?utm_source=mail");
    expect(leads({ ...begun, selectedOptions: [], signupDone: true }, fill)).toBe("/es-latam/habla-ingles/76/42/?utm_source=mail");
    expect(leads(begun, fill, { paid: true })).toBe("/es-latam/administrar-tu-suscripcion/?utm_source=mail");
  });

  it("keeps whoever has only that answer at the question, to confirm it", () => {
    const filled = replayAnswers(compiled, "2.2", mexico);
    expect([leads(filled, fill), leads({ ...filled, id: "83" }, fill)]).toEqual([null, "/es-latam/habla-ingles/83/3/?utm_source=mail"]);
  });

  it("takes an answer chosen on the home page to their other version's root", () => {
    const other = { ...begun, id: "83" };
    const root = "/es-latam/habla-ingles/83/?a=2.2&utm_source=mail";
    expect([leads(other, chosen), leads(other, chosen, { from: "/" }), leads(begun, chosen)]).toEqual([root, root, null]);
  });

  it("takes whoever has signed up from the home page to where they were, whichever answer they tapped there", () => {
    const signedUp = { ...begun, signupDone: true };
    expect([
      leads(signedUp, chosen),
      leads(signedUp, chosen, { paid: true }),
      leads(signedUp, chosen, { from: "/es-latam/habla-ingles/76/2/" }),
    ]).toEqual(["/es-latam/habla-ingles/76/42/?utm_source=mail", "/es-latam/administrar-tu-suscripcion/?utm_source=mail", null]);
    // A visitor who has started over has nothing to lose.
    expect(leads({ ...replayAnswers(compiled, "", mexico), signupDone: true }, chosen)).toBeNull();
  });

  it("changes nothing for other links and other visitors", () => {
    const other = { ...begun, id: "83" };
    const none = [
      leads(null, fill),
      leads(replayAnswers(compiled, "", mexico), fill),
      leads({ ...begun, id: "ai" }, fill),
      leads({ ...begun, id: "1" }, fill),
      // From that version's own question, or from another site.
      leads(other, chosen, { from: "/es-latam/habla-ingles/76/2/" }),
      begunAddress(page, other, memoryStore(), at(chosen), { from: null, redirected: false }),
      // From a root, whose link has a chosen answer.
      leads(begun, fill, { redirected: true }),
      leads(begun, "/es-latam/habla-ingles/76/2/?a=2.2~3.1"),
      leads(begun, "/es-latam/habla-ingles/76/2/"),
      leads(begun, "/es-latam/habla-ingles/76/41/?a=3.1"),
    ];
    expect(none).toEqual(none.map(() => null));
  });
});

describe("an early tap amid the questions", () => {
  const taken = (state: State | null, code: string) =>
    laterAnswers(page, state, memoryStore(), at(`/es-latam/habla-ingles/76/43/?a=${code}`));
  const signedUp = { ...begun, signupDone: true };

  it("is the answer to the question where the visitor was, or, before sign-up, to an earlier one", () => {
    expect(taken(begun, "42.3")).toEqual([{ questionId: 42, optionId: 3 }]);
    expect(taken(signedUp, "42.3")).toEqual([{ questionId: 42, optionId: 3 }]);
    expect(taken(begun, "3.1")).toEqual([{ questionId: 3, optionId: 1 }]);
    expect(taken(signedUp, "3.1")).toEqual([]);
  });

  it("can be followed by the next tap's answer; an answer that does not fit ends the list", () => {
    const both = [
      { questionId: 42, optionId: 3 },
      { questionId: 43, optionId: 1 },
    ];
    expect([taken(begun, "42.3~43.1"), taken(signedUp, "42.3~43.1")]).toEqual([both, both]);
    expect([taken(begun, "42.3~41.9"), taken(begun, "42.9~43.1")]).toEqual([both.slice(0, 1), []]);
  });

  it("is none when it does not fit the visitor's answers", () => {
    const none = [
      taken(null, "42.3"),
      taken({ ...begun, id: "83" }, "42.3"),
      taken(begun, "44.1"),
      taken(begun, "42.9"),
      taken(begun, "99.1"),
      taken(begun, ""),
      // Answers that follow from the link alone are taken from it.
      laterAnswers({ ...page, rendered: renderedSnapshot(compiled, mexico, "2.1~3.1") }, begun, memoryStore(), at("/?a=2.1~3.1")),
      // It leads nowhere: there is no schedule yet.
      taken({ ...begun, visitedQuestionIds: [], selectedOptions: [], currentQuestionId: 3 }, "3.2"),
    ];
    expect(none).toEqual(none.map(() => []));
  });
});

import { replayAnswers } from "#core/questionnaire/answer-code.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { State } from "#core/questionnaire/state.ts";
import { mexico, questionnaire, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memoryStore } from "../device/storage.ts";
import { begunAddress, laterAnswers, otherAddress, ownReleaseAddress } from "./returning.ts";
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
  // The version of that page may have a question of the same number.
  const elsewhere = "/es-latam/habla-ingles/83/3/";
  expect(addressFor({ ...own, id: "83" }, elsewhere)).toBe(`${elsewhere}?release=${older}`);
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
    // Not with another answer, nor with more of them.
    const more = replayAnswers(compiled, "2.2~3.1~41.1", mexico);
    expect([leads(replayAnswers(compiled, "2.1", mexico), fill), leads(more, fill)]).toEqual([
      "/es-latam/habla-ingles/76/3/?utm_source=mail",
      "/es-latam/habla-ingles/76/42/?utm_source=mail",
    ]);
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
      // The served release lacks the question.
      taken({ ...begun, currentQuestionId: 99 }, "99.1"),
      // No page's link has these.
      taken(begun, "42.3~s2"),
      taken(begun, "00042.3"),
    ];
    expect(none).toEqual(none.map(() => []));
  });

  it("is the only option of a question, or one with a long number, and none that does not show", () => {
    const atOne = replayAnswers(compiled, "2.1~3.1~41.1~42.1~43.1~44.1", mexico);
    expect(taken(atOne, "54.1")).toEqual([{ questionId: 54, optionId: 1 }]);
    const more = [
      { id: 12, description: "Only songs", followUpQuestion: 43 },
      { id: 13, description: "Só no Brasil", followUpQuestion: 43, requirements: { rules: [{ countryIs: "BR" }] } },
    ];
    const wider = compile(
      questionnaire(
        smallQuestions.map((each) =>
          each.id === 42 || each.id === 43 ? { ...each, type: undefined, options: [...each.options, ...more] } : each,
        ),
      ),
    );
    const takenThere = (code: string) => laterAnswers({ ...page, compiled: wider }, begun, memoryStore(), at(`/?a=${code}`));
    expect(takenThere("42.12~43.12")).toEqual([
      { questionId: 42, optionId: 12 },
      { questionId: 43, optionId: 12 },
    ]);
    expect(takenThere("42.13")).toEqual([]);
  });

  it("counts where it is the first one, also for an account that has started over", () => {
    const startedOver = { ...replayAnswers(compiled, "", mexico), signupDone: true };
    const answered = { ...page, rendered: renderedSnapshot(compiled, mexico, "2.1") };
    expect(laterAnswers(answered, startedOver, memoryStore(), at("/?a=2.1"))).toEqual([{ questionId: 2, optionId: 1 }]);
  });
});

describe("the address to load instead of the page's", () => {
  afterEach(() => void vi.unstubAllGlobals());
  const other = { ...begun, id: "83" };
  const chosen = "/es-latam/habla-ingles/76/3/?a=2.2";
  const root = "/es-latam/habla-ingles/83/?a=2.2";
  const home = "https://parlando.example/es-latam/";
  /** @param from the path of the page before, if the visitor came by a step in place */
  const leads = (state: State, path: string, referrer: string, { from = "", redirectCount = 0 } = {}) => {
    class PerformanceNavigationTiming {
      readonly type = "navigate";
      readonly redirectCount = redirectCount;
    }
    vi.stubGlobal("document", { referrer });
    vi.stubGlobal("history", { state: from === "" ? null : { from } });
    vi.stubGlobal("PerformanceNavigationTiming", PerformanceNavigationTiming);
    vi.spyOn(performance, "getEntriesByType").mockReturnValue([new PerformanceNavigationTiming() as unknown as PerformanceEntry]);
    return otherAddress({ ...page, release }, state, memoryStore(), at(path));
  };

  it("depends on whether the visitor came from our home page", () => {
    const question = "/es-latam/habla-ingles/76/2/";
    expect([leads(other, chosen, home), leads(other, chosen, ""), leads(other, chosen, "https://other.example/es-latam/")]).toEqual([
      root,
      null,
      null,
    ]);
    expect([leads(other, chosen, home, { from: question }), leads(other, chosen, "", { from: "/es-latam/" })]).toEqual([null, root]);
  });

  it("depends on whether a redirect led here", () => {
    const fill = "/es-latam/habla-ingles/76/2/?a=2.2";
    expect([leads(begun, fill, ""), leads(begun, fill, "", { redirectCount: 1 })]).toEqual(["/es-latam/habla-ingles/76/42/", null]);
  });

  it("is else the page's in the visitor's own release", () => {
    expect(leads(own, "/es-latam/habla-ingles/76/3/", "")).toBe(`/es-latam/habla-ingles/76/3/?release=${older}`);
  });
});

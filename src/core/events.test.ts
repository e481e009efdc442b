import * as v from "valibot";
import { expect, it } from "vitest";
import { events } from "./events.ts";

it("events are the specification's nine (spec 000 §7)", () => {
  expect(Object.keys(events).toSorted()).toEqual(
    [
      "PaymentMethodSelected",
      "GetQuestionnaire",
      "QuestionnaireAnswer",
      "QuestionnaireQuestionShown",
      "StudyScheduleSelected",
      "QuestionnairePopupShown",
      "CampaignEvent",
      "ChatbotOpen",
      "PurchaseFlow",
    ].toSorted(),
  );
});

it("a purchase event carries the provider, the stage and the error", () => {
  const uuid = "8a0b6c0e-0f55-4d5c-8f0b-1a2b3c4d5e6f";
  for (const stage of ["customer-details", "payment-selection", "payment-selected", "error"])
    expect(v.parse(events.PurchaseFlow, { uuid, stage, error: "declined" })).toEqual({ uuid, stage, error: "declined" });
  expect(v.is(events.PurchaseFlow, { uuid, stage: "elsewhere" })).toBe(false);
});

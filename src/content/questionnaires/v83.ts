/** Version 83: asks openly for consent to news by e-mail. It differs in its traits only; the default for Italy, Spain and Germany. */
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { defineVersion } from "./define.ts";

export const v83 = defineVersion({
  id: "83",
  hypothesis: "Asking openly for marketing consent is answered",
  changes: "Asks for consent to news by e-mail where a country requires it; “Agree and continue”",
  traits: { agreeAndContinue: true, asksMarketingConsent: true },
  defaultIn: ["it-IT", "es-ES", "de-DE"],
  embeddedIn: ["it-IT", "es-ES", "de-DE"],
  questionnaire: (t, version) => longVersion(t, version, { story: story(t, version) }),
});

/** What each version is to find out, and what it changes to do so: the words of `README.md`'s table. */
import type { VersionName } from "./traits.ts";

interface Hypothesis {
  readonly hypothesis: string;
  readonly changes: string;
}

export const hypotheses: Readonly<Record<VersionName, Hypothesis>> = {
  "69": {
    hypothesis: "A discount wins back campaign traffic",
    changes: "Twenty-two screens of the short story; coupon of 50 %; no e-mail check; an existing account goes to reactivate",
  },
  "73": { hypothesis: "A short quiz is enough on the home page", changes: "The short story: the level is asked outright (InitialLevel)" },
  "76": {
    hypothesis: "The long conversation fits Latin America",
    changes: "The base story in the theme HablaIngles, with a screen for whoever starts from zero",
  },
  "78": {
    hypothesis: "Brazil pays in instalments",
    changes: "Asks how one likes to pay; one-time prices and subscriptions side by side, instalments in words",
  },
  "79": {
    hypothesis: "Naming one's own gaps commits",
    changes: "Three lists to choose from and one sentence said out loud, instead of the details of an obstacle",
  },
  "82": {
    hypothesis: "Consent worded as the GDPR means it costs no sign-ups",
    changes: "What is kept and what for, then “Agree and continue” under a consent of its own",
  },
  "83": {
    hypothesis: "Asking openly for marketing consent is answered",
    changes: "Asks for consent to news by e-mail where a country requires it; “Agree and continue”",
  },
  "84": {
    hypothesis: "An inline checkout that explains itself sells more",
    changes: "What happens with the card and the guarantee stand beside the form; “Agree and continue”",
  },
  "85": {
    hypothesis: "A talking guide keeps people going",
    changes: "Films (avatar-video) open the sections, second proof animation, “Agree and continue”; no slides and voices",
  },
  "86": {
    hypothesis: "Proof belongs before the price",
    changes: "First week, comparison, rating, voices and guarantee between the plan and its price, not earlier",
  },
  "87": { hypothesis: "A guide carries a short quiz too", changes: "The short story with her films (avatar); plans by the week as well" },
  "88": { hypothesis: "A guide is believed more in the dark", changes: "Her films (avatar) in the theme Kosmo, without fades" },
  "89": {
    hypothesis: "A guide who chats is answered more readily",
    changes: "Conversations open the sections; paragraphs become bubbles",
  },
  "90": {
    hypothesis: "One price paid once is easier to say yes to",
    changes: "Her films (avatar); one-time prices only, with what they come to a week",
  },
  "91": {
    hypothesis: "Calm and plain is enough",
    changes: "Nothing moves that one would have to wait for; sixteen questions can be skipped; the app to look at",
  },
  ai: { hypothesis: "An AI product sells itself", changes: "Leads to the AI site" },
  aimx: { hypothesis: "An AI product sells itself in Mexico", changes: "Leads to the AI site's /mx" },
};

/** Version 86: proof before price. First week, comparison, testimonials and guarantee come between the plan and its price. */
import { brand } from "../brand.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { example, voicesNote } from "./base/voices.ts";
import { defineVersion } from "./define.ts";
import { insertAfter, rewire, without } from "./story.ts";

const yes = { type: "positive-icon" as const };
const no = { type: "negative-icon" as const };

export const v86 = defineVersion({
  id: "86",
  hypothesis: "Proof belongs before the price",
  changes: "First week, comparison, rating, voices and guarantee between the plan and its price, not earlier",
  questionnaire: (t, version) => {
    // Earlier screens lose the claims that the proof repeats. The "ready" screen comes after the proof.
    const edited = rewire(without(story(t, version), 13, 27, 29), 76, 79).map((screen) =>
      screen.id === 76 ? { ...screen, id: 79 } : screen,
    );
    return longVersion(t, version, {
      story: insertAfter(
        edited,
        74,
        {
          id: 75,
          eyebrow: { text: t("week.eyebrow"), icon: "calendar-days" },
          contents: [
            { type: "title", text: t("week.title") },
            {
              type: "slideshow",
              slideshowOptions: {
                items: [
                  { image: "wave", text: t("week.slide1") },
                  { image: "explain", text: t("week.slide2") },
                  { image: "crowd", text: t("week.slide3") },
                  { image: "sit-coffee", text: t("week.slide4") },
                ],
              },
            },
          ],
          options: [{ id: 1, description: t("go.continue") }],
        },
        {
          id: 76,
          eyebrow: { text: t("others.eyebrow"), icon: "list-checks" },
          contents: [
            { type: "title", text: t("others.title") },
            {
              type: "table",
              columns: [
                { type: "text", content: "", width: 40 },
                { type: "text", content: t("change.before"), align: "center", small: true },
                { type: "text", content: t("others.app"), align: "center", small: true },
                { type: "title", content: t("change.here"), align: "center", small: true },
              ],
              rows: [
                [{ type: "text", content: t("others.people") }, yes, no, yes],
                [{ type: "text", content: t("others.anytime") }, no, yes, yes],
                [{ type: "text", content: t("change.row3") }, no, yes, yes],
                [{ type: "text", content: t("change.row4") }, no, yes, yes],
              ],
            },
          ],
          options: [{ id: 1, description: t("go.continue") }],
        },
        {
          id: 77,
          contents: [
            { type: "title", text: t("voices.title") },
            { type: "appRating", rating: brand.appRating, text: t("rating.text"), example: !brand.isOwn.appRating },
            {
              type: "testimonial",
              text: t("voices.one"),
              name: "Marina",
              country: t("voices.one.country"),
              image: "testimonial-1",
              example,
            },
            {
              type: "testimonial",
              text: t("voices.two"),
              name: "Daniel",
              country: t("voices.two.country"),
              image: "testimonial-2",
              example,
            },
            {
              type: "testimonial",
              text: t("voices.three"),
              name: "Paula",
              country: t("voices.three.country"),
              image: "testimonial-3",
              example,
            },
            ...voicesNote(t),
          ],
          options: [{ id: 1, description: t("go.continue") }],
        },
        {
          id: 78,
          header: { media: "sit", alt: t("early.alt"), flexible: true },
          contents: [
            { type: "title", text: t("sure.title") },
            { type: "guarantee", title: t("guarantee.title"), text: t("guarantee.text") },
          ],
          options: [{ id: 1, description: t("go.continue") }],
        },
      ),
    });
  },
});

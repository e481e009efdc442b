import type * as v from "valibot";
import type { BlockExamples } from "./block.ts";
import type { talkingGuide } from "./talkingGuide.spec.ts";

function invalidContents(type: string) {
  return [
    {
      name: "a film of a kind no browser plays",
      content: { type, video: { filename: "guide-hello", extension: "avi" }, subtitles: [] },
    },
    {
      name: "a subtitle in a language we do not speak",
      content: {
        type,
        video: { filename: "guide-hello", extension: "webm" },
        subtitles: [{ text: "Bonjour", timing: { "xx-XX": { from: 0 } } }],
      },
    },
    { name: "no subtitles at all", content: { type, video: { filename: "guide-hello", extension: "webm" } } },
  ];
}

export function talkingGuideExamples<const Type extends string>(
  type: Type,
): BlockExamples<{ readonly type: Type } & v.InferInput<typeof talkingGuide>> {
  return {
    valid: [
      {
        name: "has the screen and speaks",
        content: {
          type,
          video: { filename: "guide-hello", extension: "webm" },
          subtitles: [
            {
              text: ["Hola, ", ["arg", "FIRSTNAME"], ". Vamos a encontrar tu nivel."],
              timing: {
                "es-419": { from: 600, duration: 3000 },
                "en-US": { from: 600, duration: 2800 },
                "de-DE": { from: 600, duration: 3400 },
              },
            },
            {
              text: "Contesta con lo primero que sientas.",
              timing: { "es-419": { from: 3800, duration: 2600 }, "en-US": { from: 3600 }, "de-DE": { from: 4200, duration: 3000 } },
            },
          ],
        },
        status: "block",
      },
      {
        name: "its timer is over",
        content: {
          type,
          video: { filename: "guide-hello", extension: "mp4" },
          timer: 2000,
          subtitles: [{ text: "Ya puedes seguir.", timing: { "es-419": { from: 0, duration: 2000 } } }],
        },
        done: true,
        status: "pass",
      },
      {
        name: "beside its words, in German",
        locale: "de-DE",
        content: {
          type,
          fullscreen: false,
          video: { filename: "guide-hello", extension: "webm" },
          subtitles: [
            {
              text: "Deine Aussprachegewohnheiten verändern sich schneller, als du denkst – versprochen.",
              timing: { "de-DE": { from: 0, duration: 4000 }, "es-419": { from: 0, duration: 4000 } },
            },
          ],
        },
        status: "pass",
      },
      {
        name: "only the words",
        content: {
          type,
          hidden: true,
          fullscreen: false,
          video: { filename: "guide-hello", extension: "webm" },
          subtitles: [{ text: "Escucha bien.", timing: { "es-419": { from: 0 } } }],
        },
        status: "pass",
      },
    ],
    invalid: invalidContents(type),
  };
}

import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Default milliseconds of typing before a message. */
export const defaultMessageDelay = 1200;

const schema = v.strictObject({
  type: v.literal("chatbot"),
  requirements: v.optional(ruleGroupSchema),
  messages: v.pipe(
    v.array(
      v.strictObject({
        from: v.picklist(["guide", "visitor"]),
        text: textSchema,
        /** Milliseconds after the previous message. */
        delay: v.optional(v.pipe(v.number(), v.minValue(0)), defaultMessageDelay),
      }),
    ),
    v.minLength(1),
  ),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "chatbot",
  schema,
  /** Blocks until the last message is shown (spec 001 §4). */
  validate: (_content, { done }) => (done ? "pass" : "block"),
  uiTexts: ["block.chatbot.log", "block.chatbot.guide", "block.chatbot.visitor", "block.chatbot.typing"],
  pictures: () => ["guide"],
});

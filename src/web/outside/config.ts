/** Which services of others are used; null for each that is not. */
import * as v from "valibot";

export const outsideSchema = v.object({
  tagManager: v.nullable(v.string()),
  braze: v.nullable(v.object({ key: v.string(), baseUrl: v.string() })),
  chat: v.nullable(v.object({ vendor: v.picklist(["zendesk", "intercom", "crisp", "freshchat"]), key: v.string() })),
});
export type OutsideConfig = v.InferOutput<typeof outsideSchema>;

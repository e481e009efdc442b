/** Configuration of the third-party services in the browser, shared by the server's settings and the page. */
import * as v from "valibot";

export const chatVendors = ["zendesk", "intercom", "crisp", "freshchat"] as const;
export type ChatVendor = (typeof chatVendors)[number];

/** Null for each service that is not used. */
export const outsideSchema = v.object({
  /** Google Tag Manager's container id. */
  tagManager: v.nullable(v.string()),
  /** Google Analytics' measurement id. */
  analytics: v.nullable(v.string()),
  braze: v.nullable(v.object({ key: v.string(), baseUrl: v.string() })),
  chat: v.nullable(v.object({ vendor: v.picklist(chatVendors), key: v.string() })),
});
export type OutsideConfig = v.InferOutput<typeof outsideSchema>;

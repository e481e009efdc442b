/** Version ai: lives on the AI product's own site. */
import { brand } from "../brand.ts";
import { defineVersionElsewhere } from "./define.ts";

export const ai = defineVersionElsewhere({
  id: "ai",
  hypothesis: "An AI product sells itself",
  changes: "Leads to the AI site",
  externalSite: brand.aiSite,
});

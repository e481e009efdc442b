/** Version aimx: lives on the AI product's own site. */
import { brand } from "../brand.ts";
import { defineVersionElsewhere } from "./define.ts";

export const aimx = defineVersionElsewhere({
  id: "aimx",
  hypothesis: "An AI product sells itself in Mexico",
  changes: "Leads to the AI site's /mx",
  externalSite: new URL("mx", brand.aiSite).href,
});

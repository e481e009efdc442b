/** What only an operator can say: while `brand.ts` and the texts still hold the template's examples, pages say so (decision 136). */
import { brand } from "./brand.ts";

export const isTemplate = {
  company: brand.company.vatId === "XX000000000",
} as const;

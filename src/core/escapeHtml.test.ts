import { expect, it } from "vitest";
import { escapeHtml } from "./escapeHtml.ts";

it("every character that could end a text or an attribute is escaped once", () => {
  expect(escapeHtml(`<a href="?x&y" title='&lt;'>`)).toBe("&lt;a href=&quot;?x&amp;y&quot; title=&#39;&amp;lt;&#39;&gt;");
  expect(escapeHtml("¿Tú & yo?")).toBe("¿Tú &amp; yo?");
});

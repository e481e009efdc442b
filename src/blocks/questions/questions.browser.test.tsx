import { renderBlock } from "#test/renderBlock.tsx";
import { expect, test } from "vitest";

test("an answer opens below its question, by tap and by key, without affecting the others", async () => {
  const block = await renderBlock({
    type: "questions",
    title: "Lo que más nos preguntan",
    items: [
      { question: "¿Y si quiero dejarlo?", answer: "Cancelas en tu cuenta." },
      { question: "¿Y si no me gusta?", answer: "Te devolvemos tu dinero." },
    ],
  });
  const [first, second] = block.all("details");
  const shown = () => [first, second].map((item) => item?.querySelector("p")?.checkVisibility());
  expect(shown()).toEqual([false, false]);
  first?.querySelector("summary")?.click();
  expect(shown()).toEqual([true, false]);
  expect(block.one("section").getAttribute("aria-labelledby")).toBe(block.one("h2").id);
});

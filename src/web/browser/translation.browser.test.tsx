import { stage } from "#test/stage.ts";
import { translate } from "#test/translated.ts";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test } from "vitest";
import { bearTranslation } from "./translation.ts";

function Texts({ isNew }: { readonly isNew: boolean }) {
  return (
    <p>
      {isNew ? <b>new</b> : "old"}
      {isNew && <i>inserted</i>}
      a text that stays
    </p>
  );
}

test("texts that come and go on a translated page lose neither the page nor what comes", async () => {
  const { insertBefore, removeChild } = Node.prototype;
  onTestFinished(() => void Object.assign(Node.prototype, { insertBefore, removeChild }));
  bearTranslation();
  const element = stage("de-DE");
  const root = createRoot(element);
  onTestFinished(() => act(() => root.unmount()));
  await act(() => root.render(<Texts isNew={false} />));
  translate(element);
  await act(() => root.render(<Texts isNew />));
  expect([...element.querySelectorAll("b, i")].map(({ textContent }) => textContent)).toEqual(["new", "inserted"]);
  // What React has put itself is still inserted and removed in its place.
  const list = stage("de-DE");
  const [first, second] = [document.createElement("i"), document.createElement("b")];
  list.append(second);
  list.insertBefore(first, second);
  expect([...list.children]).toEqual([first, second]);
  list.removeChild(first);
  expect([...list.children]).toEqual([second]);
});

/** Texts that change on a page that the browser has translated. */
import { stage } from "#test/stage.ts";
import { translate } from "#test/translated.ts";
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test } from "vitest";
import { Button } from "./Button.tsx";
import { Field } from "./Field.tsx";
import { Note } from "./Note.tsx";
import { TimeLine } from "./TimeLine.tsx";

const texts = [
  "Wir schreiben dir eine E-Mail.",
  "Heute zahlst du nichts.",
  "Per E-Mail an ana@example.com.",
  "Per E-Mail an eva@example.com.",
];

const parts: Readonly<Record<string, (text: string) => ReactNode>> = {
  Note: (text) => <Note icon="info">{text}</Note>,
  TimeLine: (text) => <TimeLine label="Termine" points={[{ when: "Heute", what: text }]} />,
  Button: (text) => <Button>{text}</Button>,
  "the error of a Field": (text) => <Field label="Name" value="" onChange={() => {}} error={text} />,
};

test.each(Object.entries(parts))("%s shows each of them", async (_name, draw) => {
  const element = stage("de-DE");
  const root = createRoot(element);
  onTestFinished(() => act(() => root.unmount()));
  for (const text of texts) {
    await act(() => root.render(draw(text)));
    expect(element.textContent).toContain(text);
    expect(element.textContent.match(/\./g)).toHaveLength(text.match(/\./g)?.length ?? 0);
    translate(element);
  }
});

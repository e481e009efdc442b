/** Pages whose texts change after the browser has translated them. */
import { uiTexts } from "#content/texts/ui.ts";
import { linkResendDelay } from "#core/links.ts";
import { mount } from "#test/mount.tsx";
import { translate } from "#test/translated.ts";
import { testSite } from "#test/webSite.ts";
import { richText } from "#ui/richText.tsx";
import { act, useState } from "react";
import { expect, test, vi } from "vitest";
import { Scene } from "../shell/Scene.tsx";
import { Steps } from "../shell/Steps.tsx";
import { SendAgain } from "./SendAgain.tsx";

const press = () => act(async () => (document.querySelector<HTMLElement>("main button") ?? document.querySelector("button"))?.click());

test("a page's title and text change", async () => {
  const shown = [
    {
      title: "Bestätige deine E-Mail-Adresse",
      text: richText(["An ", { tag: "b", parts: ["ana@example.com"] }, ". Die E-Mail kommt gleich."]),
    },
    { title: "Alles bestätigt", text: richText([{ tag: "b", parts: ["ana@example.com"] }, " ist bestätigt."]) },
    { title: "Deine E-Mail-Adresse", text: "Sie steht fest." },
  ];
  function Changing() {
    const [at, setAt] = useState(0);
    const { title = "", text } = shown[at] ?? {};
    return (
      <Scene route="recover-password" figure="think" title={title} text={text}>
        <button type="button" onClick={() => setAt(at + 1)}>
          next
        </button>
      </Scene>
    );
  }
  await mount(testSite({}), <Changing />);
  const main = document.querySelector("main");
  const said = () => [main?.querySelector("h1")?.textContent, main?.querySelector("h1 + p")?.textContent];
  const first = said();
  expect(first).toEqual(["Bestätige deine E-Mail-Adresse", "An ana@example.com. Die E-Mail kommt gleich."]);
  for (const now of [
    ["Alles bestätigt", "ana@example.com ist bestätigt."],
    ["Deine E-Mail-Adresse", "Sie steht fest."],
  ]) {
    if (main) translate(main);
    await press();
    expect(said()).toEqual(now);
  }
});

test("a list's steps change", async () => {
  const texts = ["Per E-Mail an ana@example.com", "Alles bestätigt"];
  function Changing() {
    const [at, setAt] = useState(0);
    const text = texts[at] ?? "";
    return (
      <>
        <Steps steps={[{ title: text, text, done: at > 0 }]} />
        <button type="button" onClick={() => setAt(at + 1)}>
          next
        </button>
      </>
    );
  }
  const element = await mount(testSite({}), <Changing />);
  translate(element);
  await press();
  expect(element.querySelector("li")?.textContent.match(/Alles bestätigt/g)).toHaveLength(2);
});

test("what is said about a mail that was sent again changes", async () => {
  const texts = { ...uiTexts("de-DE"), "page.link-sent.wait": "Die E-Mail ist unterwegs.", "page.link-sent.resentCode": "Gesendet." };
  const element = await mount(testSite({ locale: "de-DE", texts }), <SendAgain purpose="login" send={() => Promise.resolve("sent")} />);
  const said = () => element.querySelector("[role=status]")?.textContent;
  await press();
  expect(said()).toBe("Die E-Mail ist unterwegs.");
  translate(element);
  vi.setSystemTime(Date.now() + linkResendDelay);
  await press();
  expect(said()).toBe("Gesendet.");
});

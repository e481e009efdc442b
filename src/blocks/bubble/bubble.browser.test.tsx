import { renderBlock } from "#test/renderBlock.tsx";
import { act } from "react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

const sentence = { type: "bubble", text: "Fancy a coffee?", size: "large", lang: "en" } as const;
const voice = (lang: string, localService: boolean): SpeechSynthesisVoice => ({
  lang,
  localService,
  name: lang,
  voiceURI: `${lang} ${localService}`,
  default: false,
});

let voices: SpeechSynthesisVoice[];
beforeEach(() => {
  voices = [];
  vi.spyOn(speechSynthesis, "getVoices").mockImplementation(() => voices);
});
const listen = (block: Awaited<ReturnType<typeof renderBlock>>) =>
  block.all("button").filter(({ textContent }) => textContent === "block.bubble.listen");

test("the browser's English voice reads a level question's sentence aloud", async () => {
  voices = [voice("es-MX", true), voice("en_US", false), voice("en-GB", true)];
  const said: string[] = [];
  // The browser rejects a fake voice, so a stub records what the page asks it to say.
  vi.stubGlobal("SpeechSynthesisUtterance", function Utterance(this: object, text: string) {
    Object.assign(this, { text, voice: null, lang: "", rate: 1 });
  });
  vi.spyOn(speechSynthesis, "speak").mockImplementation(({ text, lang }) => void said.push(`${lang}: ${text}`));
  const block = await renderBlock(sentence);
  await act(async () => listen(block)[0]?.click());
  expect(said).toEqual(["en-GB: Fancy a coffee?"]);
});

test("without an English voice there is no button", async () => {
  voices = [voice("es-MX", true)];
  expect(listen(await renderBlock(sentence))).toHaveLength(0);
});

test("a visitor who saves data gets no voice from the network", async () => {
  voices = [voice("en-US", false)];
  expect(listen(await renderBlock(sentence))).toHaveLength(1);
  Object.defineProperty(navigator, "connection", { configurable: true, value: { saveData: true } });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "connection"));
  expect(listen(await renderBlock(sentence))).toHaveLength(0);
});

test("the button appears when voices load late", async () => {
  const block = await renderBlock(sentence);
  expect(listen(block)).toHaveLength(0);
  voices = [voice("en-US", true)];
  await act(async () => void speechSynthesis.dispatchEvent(new Event("voiceschanged")));
  expect(listen(block)).toHaveLength(1);
});

test("the position among all sentences is shown above the sentence", async () => {
  const block = await renderBlock({ ...sentence, count: { at: 3, of: 12 } });
  expect(block.one("p").textContent).toBe("block.bubble.count 3 12");
});

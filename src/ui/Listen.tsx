/** Reads English text aloud with the browser's own voice. Without such a voice there is no button. */
import { useEffect, useSyncExternalStore } from "react";
import { Icon } from "./Icon.tsx";
import styles from "./Listen.module.css";

/** Slightly slower than normal speech, for learners. */
const rate = 0.9;

function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, "connection");
  const saves = typeof connection === "object" && connection !== null && Reflect.get(connection, "saveData") === true;
  return saves || matchMedia("(prefers-reduced-data: reduce)").matches;
}

/** The URI of an English voice, empty without one. Voices that need the network are not offered to visitors who save data. */
function englishVoice(): string {
  if (!("speechSynthesis" in globalThis)) return "";
  const voices = speechSynthesis.getVoices().filter(({ lang }) => /^en\b/i.test(lang.replace("_", "-")));
  const voice = voices.find(({ localService }) => localService) ?? (savesData() ? undefined : voices[0]);
  return voice?.voiceURI ?? "";
}

/** Browsers load their voices with a delay. */
function onVoices(changed: () => void): () => void {
  if (!("speechSynthesis" in globalThis)) return () => {};
  speechSynthesis.addEventListener("voiceschanged", changed);
  return () => speechSynthesis.removeEventListener("voiceschanged", changed);
}

export function Listen({ text, label }: { readonly text: string; readonly label: string }) {
  const voice = useSyncExternalStore(onVoices, englishVoice, () => "");
  useEffect(() => {
    if (voice === "") return;
    // Stop speaking when the visitor leaves the question.
    return () => speechSynthesis.cancel();
  }, [voice]);
  if (voice === "") return null;
  function speak() {
    const said = new SpeechSynthesisUtterance(text);
    said.voice = speechSynthesis.getVoices().find(({ voiceURI }) => voiceURI === voice) ?? null;
    said.lang = said.voice?.lang ?? "en-US";
    said.rate = rate;
    speechSynthesis.cancel();
    speechSynthesis.speak(said);
  }
  return (
    <button type="button" className={styles["listen"]} onClick={speak}>
      <Icon name="volume-2" stroke={2.2} />
      <span>{label}</span>
    </button>
  );
}

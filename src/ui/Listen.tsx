/** Says English words aloud with the browser's own voice. Where there is none, there is no button either. */
import { useEffect, useSyncExternalStore } from "react";
import { Icon } from "./Icon.tsx";
import styles from "./Listen.module.css";

/** A little slower than people talk, so that learners understand it. */
const rate = 0.9;

function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, "connection");
  const saves = typeof connection === "object" && connection !== null && Reflect.get(connection, "saveData") === true;
  return saves || matchMedia("(prefers-reduced-data: reduce)").matches;
}

/** The address of an English voice, empty without one. A voice that needs the network is not used by visitors who save data. */
function englishVoice(): string {
  if (!("speechSynthesis" in globalThis)) return "";
  const voices = speechSynthesis.getVoices().filter(({ lang }) => /^en\b/i.test(lang.replace("_", "-")));
  const voice = voices.find(({ localService }) => localService) ?? (savesData() ? undefined : voices[0]);
  return voice?.voiceURI ?? "";
}

/** Browsers load voices late. */
function onVoices(changed: () => void): () => void {
  if (!("speechSynthesis" in globalThis)) return () => {};
  speechSynthesis.addEventListener("voiceschanged", changed);
  return () => speechSynthesis.removeEventListener("voiceschanged", changed);
}

export function Listen({ text, label }: { readonly text: string; readonly label: string }) {
  const voice = useSyncExternalStore(onVoices, englishVoice, () => "");
  useEffect(() => {
    if (voice === "") return;
    // The voice stops when the visitor goes on.
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

/** The four levels' names and what they mean, per locale. Names stand inside a sentence ("your level is {INITIAL_LEVEL}"). */
import type { Locale } from "../locales.ts";
import type { Level } from "./definition.ts";

export interface LevelText {
  readonly name: string;
  readonly text: string;
}

export const levelTexts: Readonly<Record<Locale, Readonly<Record<Level, LevelText>>>> = {
  "en-US": {
    beginner: { name: "beginner", text: "You know your first words and simple phrases." },
    basic: { name: "basic", text: "You get by in everyday situations with simple sentences." },
    intermediate: { name: "intermediate", text: "You follow normal conversations and can say what you think." },
    upperintermediate: {
      name: "upper intermediate",
      text: "You speak fluently about almost anything and understand native speakers well.",
    },
  },
  "es-419": {
    beginner: { name: "principiante", text: "Conoces tus primeras palabras y frases sencillas." },
    basic: { name: "básico", text: "Te las arreglas en situaciones cotidianas con frases simples." },
    intermediate: { name: "intermedio", text: "Sigues conversaciones normales y puedes decir lo que piensas." },
    upperintermediate: {
      name: "intermedio alto",
      text: "Hablas con fluidez de casi cualquier tema y entiendes bien a los hablantes nativos.",
    },
  },
  "es-ES": {
    beginner: { name: "principiante", text: "Conoces tus primeras palabras y algunas frases sencillas." },
    basic: { name: "básico", text: "Te defiendes en situaciones cotidianas con frases sencillas." },
    intermediate: { name: "intermedio", text: "Sigues conversaciones normales y sabes decir lo que piensas." },
    upperintermediate: { name: "intermedio alto", text: "Hablas con soltura de casi cualquier tema y entiendes bien a los nativos." },
  },
  "pt-BR": {
    beginner: { name: "iniciante", text: "Você conhece as primeiras palavras e frases simples." },
    basic: { name: "básico", text: "Você se vira em situações do dia a dia com frases simples." },
    intermediate: { name: "intermediário", text: "Você acompanha conversas normais e consegue dizer o que pensa." },
    upperintermediate: { name: "intermediário avançado", text: "Você fala com fluência sobre quase tudo e entende bem os nativos." },
  },
  "it-IT": {
    beginner: { name: "principiante", text: "Conosci le prime parole e qualche frase semplice." },
    basic: { name: "base", text: "Te la cavi nelle situazioni di tutti i giorni con frasi semplici." },
    intermediate: { name: "intermedio", text: "Segui conversazioni normali e sai dire quello che pensi." },
    upperintermediate: { name: "intermedio avanzato", text: "Parli con scioltezza di quasi tutto e capisci bene i madrelingua." },
  },
  "de-DE": {
    beginner: { name: "Anfänger", text: "Du kennst erste Wörter und einfache Sätze." },
    basic: { name: "Grundkenntnisse", text: "Du kommst im Alltag mit einfachen Sätzen zurecht." },
    intermediate: { name: "Mittelstufe", text: "Du folgst normalen Gesprächen und kannst sagen, was du denkst." },
    upperintermediate: { name: "obere Mittelstufe", text: "Du sprichst flüssig über fast jedes Thema und verstehst Muttersprachler gut." },
  },
};

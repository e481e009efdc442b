/**
 * Words that people of the six locales choose as passwords, in letters without accents. With digits and signs added, they are the first that an
 * attacker tries.
 */
const words = [
  ["password", "passcode", "secret", "welcome", "hello", "login", "admin", "letmein", "iloveyou", "english", "qwerty"],
  [
    "contrasena",
    "clave",
    "claveacceso",
    "secreto",
    "secreta",
    "hola",
    "bienvenido",
    "bienvenida",
    "teamo",
    "tequiero",
    "ingles",
    "espanol",
  ],
  ["senha", "senhasecreta", "palavrapasse", "segredo", "ola", "bemvindo", "bemvinda", "euteamo", "amor", "mudar", "portugues"],
  [
    "parola",
    "parolachiave",
    "paroladordine",
    "segreto",
    "segreta",
    "ciao",
    "benvenuto",
    "benvenuta",
    "tiamo",
    "amore",
    "inglese",
    "italiano",
  ],
  ["passwort", "kennwort", "losung", "losungswort", "geheim", "geheimnis", "hallo", "willkommen", "ichliebedich", "englisch", "deutsch"],
  ["qwertz", "azerty", "asdfgh", "abc", "abcd"],
].flat();
const possessives = ["", "my", "mi", "tu", "minha", "meu", "mia", "lamia", "mio", "mein"];
const commonWords: ReadonlySet<string> = new Set(possessives.flatMap((before) => words.map((word) => before + word)));

const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[^\p{L}]/gu, "");

/** Whether the password's letters, without digits and signs, are such a word, once or twice. */
export function isCommonWord(password: string): boolean {
  const letters = lettersOf(password);
  const half = letters.slice(0, letters.length / 2);
  return commonWords.has(letters) || (half + half === letters && commonWords.has(half));
}

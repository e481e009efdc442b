/** The app host's page for a new password: it takes the mailed token out of its address and exchanges it by POST. */
import { isLocale, type Locale } from "#core/locales.ts";
import { buildPath } from "#core/routes.ts";
import { createHash } from "node:crypto";
import { escapeHtml } from "../html.ts";

interface Words {
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly go: string;
  readonly done: string;
  readonly login: string;
  readonly wrong: string;
  readonly expired: string;
  readonly later: string;
  readonly again: string;
}

const words: Readonly<Record<Locale, Words>> = {
  "en-US": {
    title: "Choose a new password",
    label: "New password",
    hint: "At least 8 characters.",
    go: "Save password",
    done: "Your new password is set. You’ve been logged out on all devices.",
    login: "Log in",
    wrong: "Use 8 to 128 characters, and not one of the passwords everybody uses.",
    expired: "This link no longer works.",
    later: "That didn’t work. Please try again in a moment.",
    again: "Get a new link",
  },
  "es-419": {
    title: "Elige una contraseña nueva",
    label: "Contraseña nueva",
    hint: "Al menos 8 caracteres.",
    go: "Guardar contraseña",
    done: "Tu contraseña nueva ya está lista. Se cerró la sesión en todos tus dispositivos.",
    login: "Entrar",
    wrong: "Usa entre 8 y 128 caracteres y no una de las contraseñas que usa todo el mundo.",
    expired: "Este enlace ya no sirve.",
    later: "No funcionó. Prueba otra vez en un momento.",
    again: "Pedir otro enlace",
  },
  "es-ES": {
    title: "Elige una contraseña nueva",
    label: "Contraseña nueva",
    hint: "Al menos 8 caracteres.",
    go: "Guardar contraseña",
    done: "Ya tienes contraseña nueva. Se ha cerrado la sesión en todos tus dispositivos.",
    login: "Entrar",
    wrong: "Usa entre 8 y 128 caracteres y que no sea una de las contraseñas que usa todo el mundo.",
    expired: "Este enlace ya no funciona.",
    later: "No ha funcionado. Prueba otra vez dentro de un momento.",
    again: "Pedir otro enlace",
  },
  "pt-BR": {
    title: "Escolha uma nova senha",
    label: "Nova senha",
    hint: "Pelo menos 8 caracteres.",
    go: "Salvar senha",
    done: "Sua nova senha está pronta. Você saiu da conta em todos os aparelhos.",
    login: "Entrar",
    wrong: "Use de 8 a 128 caracteres e não uma das senhas que todo mundo usa.",
    expired: "Este link não vale mais.",
    later: "Não deu certo. Tente de novo daqui a pouco.",
    again: "Pedir um novo link",
  },
  "it-IT": {
    title: "Scegli una nuova password",
    label: "Nuova password",
    hint: "Almeno 8 caratteri.",
    go: "Salva la password",
    done: "La nuova password è pronta. La sessione è stata chiusa su tutti i dispositivi.",
    login: "Accedi",
    wrong: "Usa da 8 a 128 caratteri e non una delle password che usano tutti.",
    expired: "Questo link non vale più.",
    later: "Non ha funzionato. Riprova tra un momento.",
    again: "Chiedi un nuovo link",
  },
  "de-DE": {
    title: "Neues Passwort wählen",
    label: "Neues Passwort",
    hint: "Mindestens 8 Zeichen.",
    go: "Passwort speichern",
    done: "Dein neues Passwort gilt. Du bist auf allen Geräten abgemeldet.",
    login: "Anmelden",
    wrong: "Nimm 8 bis 128 Zeichen und keines der Passwörter, die alle benutzen.",
    expired: "Dieser Link gilt nicht mehr.",
    later: "Das hat nicht geklappt. Versuch es gleich noch einmal.",
    again: "Neuen Link holen",
  },
};

const script = `
const form = document.querySelector("form");
const said = document.querySelector("[role=status]");
const { api, done, wrong, expired, later } = form.dataset;
const query = new URLSearchParams(location.search);
const token = query.get("token") ?? "";
query.delete("token");
history.replaceState(null, "", location.pathname + "?" + query);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  const body = JSON.stringify({ token, password: form.elements.password.value });
  const answer = await fetch(api + "/reset-password", { method: "POST", headers: { "content-type": "application/json" }, body }).catch(() => null);
  button.disabled = false;
  const status = answer?.status;
  said.textContent = status === 200 ? done : status === 422 ? wrong : status === 410 ? expired : later;
  if (status === 200) form.remove();
  document.querySelector("#after").hidden = status !== 200;
  document.querySelector("#again").hidden = status !== 410;
});
`;

const css = `
label { display: block; font-weight: 600; color: #1b1f3b; }
input { display: block; width: 100%; max-width: 420px; min-height: 52px; margin-top: 6px; padding: 0 14px; font: inherit; border: 1.5px solid #8a8ea8; border-radius: 14px; background: #fff; }
small { display: block; margin: 6px 0 16px; color: #5a5f7d; }
button { min-height: 52px; padding: 0 24px; font: inherit; font-size: 18px; font-weight: 700; color: #fff; background: #4a3aff; border: 0; border-radius: 14px; cursor: pointer; }
button:disabled { opacity: 0.6; }
[role=status] { min-height: 24px; margin: 16px 0; color: #1b1f3b; }
`;

/** CSP source of the page's script. */
export const resetScriptHash = `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

/** @param apiBase where the calls go, @param page the look that the host's pages share */
export function resetPasswordPage(
  asked: string | null,
  apiBase: string,
  page: (title: string, body: string, more: string) => string,
): string {
  const locale = isLocale(asked) ? asked : "es-419";
  const { title, label, hint, go, done, login, wrong, expired, later, again } = words[locale];
  const data = Object.entries({ api: apiBase, done, wrong, expired, later })
    .map(([name, value]) => `data-${name}="${escapeHtml(value)}"`)
    .join(" ");
  const body = `<form ${data}><label>${escapeHtml(label)}<input name="password" type="password" autocomplete="new-password" required minlength="8"></label><small>${escapeHtml(hint)}</small><button>${escapeHtml(go)}</button></form><p role="status"></p><p id="after" hidden><a href="${buildPath("login/link", locale)}">${escapeHtml(login)}</a></p><p id="again" hidden><a href="${buildPath("forgot-password", locale)}">${escapeHtml(again)}</a></p>`;
  return page(title, body, `<style>${css}</style><script type="module">${script}</script>`);
}

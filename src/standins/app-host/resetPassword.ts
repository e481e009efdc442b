/** The app host's page for a new password: takes the mailed token from the URL and exchanges it by POST. */
import { isLocale, type Locale } from "#core/locales.ts";
import { buildPath } from "#core/routes.ts";
import { createHash } from "node:crypto";
import { escapeHtml } from "#core/escapeHtml.ts";

interface Words {
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly go: string;
  readonly done: string;
  readonly login: string;
  readonly wrong: string;
  /** The account that the password belongs to: `{EMAIL}`. */
  readonly account: string;
  readonly show: string;
  readonly hide: string;
  /** The link is invalid, with possible reasons. */
  readonly gone: string;
  readonly why: string;
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
    account: "For your account {EMAIL}. You’ll be logged out on all devices.",
    show: "Show",
    hide: "Hide",
    gone: "This link no longer works",
    why: "It has already been used, or it’s older than 30 minutes. We can send you a new one.",
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
    wrong: "Usa entre 8 y 128 caracteres y evita las contraseñas que usa todo el mundo.",
    account: "Para tu cuenta {EMAIL}. Se cerrará la sesión en todos tus dispositivos.",
    show: "Mostrar",
    hide: "Ocultar",
    gone: "Este enlace ya no sirve",
    why: "Ya lo usaste o tiene más de 30 minutos. Podemos mandarte otro.",
    later: "No funcionó. Prueba otra vez en un momento.",
    again: "Pedir otro enlace",
  },
  "es-ES": {
    title: "Elige una contraseña nueva",
    label: "Contraseña nueva",
    hint: "Al menos 8 caracteres.",
    go: "Guardar contraseña",
    done: "Ya tienes contraseña nueva. Se ha cerrado la sesión en todos tus dispositivos.",
    login: "Iniciar sesión",
    wrong: "Usa entre 8 y 128 caracteres y evita las contraseñas que usa todo el mundo.",
    account: "Para tu cuenta {EMAIL}. Se cerrará la sesión en todos tus dispositivos.",
    show: "Mostrar",
    hide: "Ocultar",
    gone: "Este enlace ya no funciona",
    why: "Ya lo has usado o tiene más de 30 minutos. Podemos enviarte otro.",
    later: "No ha funcionado. Prueba otra vez dentro de un momento.",
    again: "Pedir otro enlace",
  },
  "pt-BR": {
    title: "Escolha uma nova senha",
    label: "Nova senha",
    hint: "Pelo menos 8 caracteres.",
    go: "Salvar senha",
    done: "Sua senha foi alterada. Você saiu da conta em todos os aparelhos.",
    login: "Entrar",
    wrong: "Use de 8 a 128 caracteres e evite as senhas que todo mundo usa.",
    account: "Para a sua conta {EMAIL}. Você vai sair da conta em todos os aparelhos.",
    show: "Mostrar",
    hide: "Ocultar",
    gone: "Este link não vale mais",
    why: "Ele já foi usado ou tem mais de 30 minutos. Podemos enviar outro.",
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
    wrong: "Usa da 8 a 128 caratteri ed evita le password più comuni.",
    account: "Per il tuo account {EMAIL}. La sessione verrà chiusa su tutti i dispositivi.",
    show: "Mostra",
    hide: "Nascondi",
    gone: "Questo link non vale più",
    why: "È già stato usato oppure ha più di 30 minuti. Possiamo mandartene un altro.",
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
    account: "Für dein Konto {EMAIL}. Du wirst auf allen Geräten abgemeldet.",
    show: "Anzeigen",
    hide: "Verbergen",
    gone: "Dieser Link gilt nicht mehr",
    why: "Er wurde schon benutzt oder ist älter als 30 Minuten. Wir können dir einen neuen schicken.",
    later: "Das hat nicht geklappt. Versuch es gleich noch einmal.",
    again: "Neuen Link holen",
  },
};

const script = `
const [form, said, after, again, heading] = ["form", "[role=status]", "#after", "#again", "h1"].map((one) => document.querySelector(one));
const { api, account, done, wrong, gone, why, later, show, hide } = form.dataset;
const query = new URLSearchParams(location.search);
const token = query.get("token") ?? "";
query.delete("token");
history.replaceState(null, "", location.pathname + "?" + query);
const post = (call, body) =>
  fetch(api + "/" + call, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }).catch(() => null);
const { password, email } = form.elements;
const [save, toggle] = ["[type=submit]", "[type=button]"].map((one) => form.querySelector(one));
function end(text) {
  said.textContent = text;
  form.remove();
  document.querySelector("#account").remove();
}
function isGone() {
  heading.textContent = gone;
  end(why);
  again.hidden = false;
}
// Report an invalid link before the visitor types a password. If the check gets no answer, show the form.
const look = await post("reset-link", { token });
if (look?.status === 410 || look?.status === 422) isGone();
else {
  if (look?.ok) {
    email.value = (await look.json()).email;
    const [before, behind] = account.split("{EMAIL}");
    const name = Object.assign(document.createElement("b"), { textContent: email.value });
    document.querySelector("#account").append(before, name, behind);
  }
  form.querySelector("fieldset").disabled = false;
}
toggle.addEventListener("click", () => {
  const hidden = password.type === "password";
  password.type = hidden ? "text" : "password";
  toggle.textContent = hidden ? hide : show;
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  save.disabled = true;
  const { status } = (await post("reset-password", { token, password: password.value })) ?? {};
  save.disabled = false;
  if (status === 410) return isGone();
  if (status !== 200) return void (said.textContent = status === 422 ? wrong : later);
  end(done);
  after.hidden = false;
});
`;

const css = `
fieldset { min-width: 0; border: 0; margin: 0; padding: 0; }
label { display: block; font-weight: 600; }
.box { display: flex; align-items: stretch; min-height: 56px; margin-top: 6px; border: 1.5px solid #857f71; border-radius: 14px; background: #fff; }
.box:focus-within { outline: 3px solid #4a3aff; outline-offset: -1px; border-color: transparent; }
.box input { flex: 1; min-width: 0; padding: 12px 16px; font: inherit; font-size: 18px; border: 0; border-radius: inherit; background: none; outline: none; }
.box button { padding: 0 16px; font: inherit; font-size: 14px; font-weight: 600; color: #4a3aff; background: none; border: 0; border-radius: inherit; cursor: pointer; }
small { display: block; margin: 6px 0 24px; font-size: 14px; color: #5a5f7d; }
.go { display: flex; align-items: center; justify-content: center; width: 100%; min-height: 56px; padding: 12px 24px; font: inherit; font-size: 18px; font-weight: 700; text-align: center; text-decoration: none; color: #fff; background: #4a3aff; border: 0; border-radius: 14px; cursor: pointer; }
.go:hover { background: #3829d6; }
:is(.go, .box button, a):focus-visible { outline: 3px solid #4a3aff; outline-offset: 3px; }
.go:disabled, fieldset:disabled .go { opacity: 0.6; cursor: default; }
[role=status]:empty { display: none; }
form ~ [role=status] { margin-top: 16px; font-weight: 600; }
#account:empty, [hidden] { display: none; }
#account { overflow-wrap: anywhere; }
`;

/** CSP source of the page's script. */
export const resetScriptHash = `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

/** @param apiBase base URL of the API, @param page the layout of the host's pages */
export function resetPasswordPage(
  asked: string | null,
  apiBase: string,
  page: (title: string, body: string, more: string) => string,
): string {
  const locale = isLocale(asked) ? asked : "es-419";
  const { title, label, hint, go, login, again, show, ...said } = words[locale];
  const data = Object.entries({ api: apiBase, show, ...said })
    .map(([name, value]) => `data-${name}="${escapeHtml(value)}"`)
    .join(" ");
  const field = `<label for="password">${escapeHtml(label)}</label><div class="box"><input id="password" name="password" type="password" autocomplete="new-password" aria-describedby="hint" required minlength="8"><button type="button">${escapeHtml(show)}</button></div><small id="hint">${escapeHtml(hint)}</small>`;
  // The account's address, for password managers.
  const whose = `<input name="email" type="email" autocomplete="username" hidden>`;
  const body = `<p id="account"></p><form ${data}><fieldset disabled>${whose}${field}<button class="go" type="submit">${escapeHtml(go)}</button></fieldset></form><p role="status"></p><p id="after" hidden><a class="go" href="${buildPath("login/link", locale)}">${escapeHtml(login)}</a></p><p id="again" hidden><a class="go" href="${buildPath("forgot-password", locale)}">${escapeHtml(again)}</a></p>`;
  return page(title, body, `<style>${css}</style><script type="module">${script}</script>`);
}

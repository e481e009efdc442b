/**
 * Every public address: route × locale (spec 001 §2, spec 000 §2). The sitemap, alternates, redirects, links and the table of pages derive from
 * this table; no other file contains a path. In the browser `web/build/contentModules.ts` replaces this file (`pathTables`).
 */
import { type Locale, localeTraits, perLocale } from "./locales.ts";

type Slugs = Readonly<Record<Locale, string>>;

interface Row {
  /** Path below the locale's prefix, `{parameter}` for a variable segment; null: the page has no address. */
  readonly paths: Slugs | null;
  readonly params: readonly ("version" | "question")[];
  /** Pages after the funnel have an id like a question, used in events, link targets and the page itself (spec 001 §9). */
  readonly questionId?: number;
  /** `redirect`: the address shows no page. */
  readonly page: true | "redirect";
  /** A developer page. In production only requests from this machine see it (`PageRequest.developer`). */
  readonly developer?: true;
  /** Its query contains a secret: pages send no Referer, and no tags run. */
  readonly secret?: true;
  readonly indexable: boolean;
  readonly sitemap: boolean;
  /** The route with the canonical address, if it is another one. */
  readonly canonical?: string;
}

const searchable = { indexable: true, sitemap: true } as const;
const unlisted = { indexable: false, sitemap: false } as const;
const withSecret = { ...unlisted, secret: true } as const;
const forDevelopers = { ...unlisted, developer: true } as const;

/** The same path in every locale. */
function everywhere(path: string): Slugs {
  return perLocale(() => path);
}

/** One path per locale: English, Latin American Spanish, Spanish, Portuguese, Italian, German. */
function native(enUS: string, es419: string, esES: string, ptBR: string, itIT: string, deDE: string): Slugs {
  return { "en-US": enUS, "es-419": es419, "es-ES": esES, "pt-BR": ptBR, "it-IT": itIT, "de-DE": deDE };
}

/** A path below the questionnaire root of each locale. */
function underRoot(rest: string | Slugs): Slugs {
  return perLocale((locale) =>
    [localeTraits[locale].rootWord, typeof rest === "string" ? rest : `{version}/${rest[locale]}`].filter((part) => part !== "").join("/"),
  );
}

const login = native("login", "iniciar-sesion", "iniciar-sesion", "entrar", "accedi", "anmelden");
function underLogin(rest: Slugs): Slugs {
  return perLocale((locale) => `${login[locale]}/${rest[locale]}`);
}
const legalWord = native("legal", "legal", "legal", "legal", "note-legali", "rechtliches");
function underLegal(rest: Slugs): Slugs {
  return perLocale((locale) => `${legalWord[locale]}/${rest[locale]}`);
}
const subscription = native(
  "handle-your-subscription",
  "administrar-tu-suscripcion",
  "gestionar-tu-suscripcion",
  "gerenciar-sua-assinatura",
  "gestisci-il-tuo-abbonamento",
  "dein-abo-verwalten",
);
const account = native("account", "cuenta", "cuenta", "conta", "account", "konto");
const forgotPassword = native(
  "forgot-password",
  "olvide-mi-contrasena",
  "he-olvidado-mi-contrasena",
  "esqueci-minha-senha",
  "password-dimenticata",
  "passwort-vergessen",
);

export const rows = {
  // The first four are `onFirstQuestion`.
  home: { paths: everywhere(""), params: [], page: true, ...searchable },

  "questionnaire/raffle": { paths: underRoot(""), params: [], page: true, ...unlisted },
  "questionnaire/root": { paths: underRoot("{version}"), params: ["version"], page: "redirect", ...unlisted },
  "questionnaire/question": { paths: underRoot("{version}/{question}"), params: ["version", "question"], page: true, ...unlisted },

  "questionnaire/update-email": {
    paths: underRoot(native("update-email", "cambiar-correo", "cambiar-correo", "alterar-email", "cambia-email", "e-mail-aendern")),
    params: ["version"],
    questionId: 1000,
    page: true,
    ...unlisted,
  },
  "questionnaire/email-exists": {
    paths: underRoot(native("email-exists", "correo-en-uso", "correo-en-uso", "email-em-uso", "email-in-uso", "e-mail-vergeben")),
    params: ["version"],
    questionId: 1001,
    page: true,
    ...unlisted,
  },
  "questionnaire/start-level-test": {
    paths: underRoot(
      native(
        "start-level-test",
        "empezar-prueba-de-nivel",
        "comenzar-prueba-de-nivel",
        "comecar-teste-de-nivel",
        "inizia-test-di-livello",
        "einstufungstest-starten",
      ),
    ),
    params: ["version"],
    questionId: 1002,
    page: true,
    ...unlisted,
  },
  "questionnaire/congratulations": {
    paths: underRoot(native("congratulations", "felicidades", "enhorabuena", "parabens", "congratulazioni", "glueckwunsch")),
    params: ["version"],
    questionId: 1003,
    page: true,
    ...unlisted,
  },
  "questionnaire/thank-you": {
    paths: underRoot(native("thank-you", "gracias", "gracias", "obrigado", "grazie", "danke")),
    params: ["version"],
    questionId: 1004,
    page: true,
    ...unlisted,
  },
  "questionnaire/new-confirm": {
    paths: underRoot(
      native(
        "new-confirm",
        "confirmar-plan-nuevo",
        "confirmar-plan-nuevo",
        "confirmar-plano-novo",
        "conferma-nuovo-piano",
        "neuen-plan-bestaetigen",
      ),
    ),
    params: ["version"],
    questionId: 1005,
    page: true,
    ...unlisted,
  },
  "questionnaire/post-purchase": {
    paths: underRoot(
      native("post-purchase", "despues-de-la-compra", "despues-de-la-compra", "depois-da-compra", "dopo-l-acquisto", "nach-dem-kauf"),
    ),
    params: ["version"],
    questionId: 1006,
    page: true,
    ...unlisted,
  },
  "questionnaire/reactivate-or-new": {
    paths: underRoot(
      native(
        "reactivate-or-new",
        "reactivar-o-empezar",
        "reactivar-o-empezar",
        "reativar-ou-comecar",
        "riattiva-o-ricomincia",
        "reaktivieren-oder-neu",
      ),
    ),
    params: ["version"],
    questionId: 1007,
    page: true,
    ...unlisted,
  },
  "questionnaire/reactivate": {
    paths: underRoot(native("reactivate", "reactivar", "reactivar", "reativar", "riattiva", "reaktivieren")),
    params: ["version"],
    questionId: 1008,
    page: true,
    ...unlisted,
  },
  "questionnaire/next-steps": {
    paths: underRoot(native("next-steps", "siguientes-pasos", "proximos-pasos", "proximos-passos", "prossimi-passi", "naechste-schritte")),
    params: ["version"],
    questionId: 1009,
    page: true,
    ...unlisted,
  },
  "questionnaire/initial-level-test": {
    paths: underRoot(
      native(
        "initial-level-test",
        "prueba-de-nivel-inicial",
        "prueba-de-nivel-inicial",
        "teste-de-nivel-inicial",
        "test-di-livello-iniziale",
        "erster-einstufungstest",
      ),
    ),
    params: ["version"],
    questionId: 1010,
    page: true,
    ...unlisted,
  },
  "questionnaire/user": {
    paths: underRoot(native("user", "usuario", "usuario", "usuario", "utente", "benutzer")),
    params: ["version"],
    questionId: 1011,
    page: true,
    ...unlisted,
  },
  "questionnaire/verify-email": {
    paths: underRoot(
      native("verify-email", "verificar-correo", "verificar-correo", "verificar-email", "verifica-email", "e-mail-bestaetigen"),
    ),
    params: ["version"],
    questionId: 1012,
    page: true,
    ...unlisted,
  },

  "forgot-password": { paths: forgotPassword, params: [], page: true, indexable: true, sitemap: false },
  "recover-password": {
    paths: native(
      "recover-password",
      "recuperar-contrasena",
      "recuperar-contrasena",
      "recuperar-senha",
      "recupera-password",
      "passwort-zuruecksetzen",
    ),
    params: [],
    page: true,
    ...unlisted,
  },
  "handle-your-subscription": {
    paths: subscription,
    params: [],
    page: true,
    ...searchable,
  },
  "handle-your-subscription/account": {
    paths: perLocale((locale) => `${subscription[locale]}/${account[locale]}`),
    params: [],
    page: true,
    ...unlisted,
  },
  "payment/failed": {
    paths: native(
      "payment/failed",
      "pago/no-completado",
      "pago/no-completado",
      "pagamento/nao-concluido",
      "pagamento/non-riuscito",
      "zahlung/fehlgeschlagen",
    ),
    params: [],
    page: true,
    ...unlisted,
  },

  "dev/index": { paths: everywhere("dev"), params: [], page: true, ...forDevelopers },
  "dev/generate": { paths: everywhere("dev/generate"), params: [], page: true, ...forDevelopers },
  "dev/reset": { paths: everywhere("dev/reset"), params: [], page: true, ...forDevelopers },
  "dev/reset-root": { paths: everywhere("dev/reset-root"), params: [], page: "redirect", ...forDevelopers },
  "dev/seo": { paths: everywhere("dev/seo"), params: [], page: true, ...forDevelopers },
  "dev/api": { paths: everywhere("dev/api"), params: [], page: true, ...forDevelopers },
  "dev/blocks": { paths: everywhere("dev/blocks"), params: [], page: true, ...forDevelopers },

  "app/dashboard": {
    paths: native("app/dashboard", "app/inicio", "app/inicio", "app/inicio", "app/home", "app/start"),
    params: [],
    page: "redirect",
    ...unlisted,
  },
  "app/exercise": {
    paths: native("app/exercise", "app/ejercicio", "app/ejercicio", "app/exercicio", "app/esercizio", "app/uebung"),
    params: [],
    page: "redirect",
    ...unlisted,
  },
  "app/forgot-password": { paths: perLocale((locale) => `app/${forgotPassword[locale]}`), params: [], page: "redirect", ...unlisted },

  "token-login": {
    paths: native("token-login", "entrar-con-enlace", "entrar-con-enlace", "entrar-com-link", "accedi-con-link", "anmelden-per-link"),
    params: [],
    page: true,
    ...withSecret,
  },
  "link/login": { paths: everywhere("link/login"), params: [], page: true, ...withSecret },
  "link/confirm-email": { paths: everywhere("link/confirm-email"), params: [], page: true, ...withSecret },
  "link/keep-subscription": { paths: everywhere("link/keep-subscription"), params: [], page: true, ...withSecret },
  "link/undo-email": { paths: everywhere("link/undo-email"), params: [], page: true, ...withSecret },

  "legal/terms": {
    paths: native("terms-of-use", "terminos-de-uso", "condiciones-de-uso", "termos-de-uso", "termini-di-utilizzo", "nutzungsbedingungen"),
    params: [],
    page: true,
    ...unlisted,
    canonical: "legal/terms-and-conditions",
  },
  "legal/terms-and-conditions": {
    paths: underLegal(
      native(
        "terms-and-conditions",
        "terminos-y-condiciones",
        "terminos-y-condiciones",
        "termos-e-condicoes",
        "termini-e-condizioni",
        "allgemeine-geschaeftsbedingungen",
      ),
    ),
    params: [],
    page: true,
    ...searchable,
  },
  "legal/privacy": {
    paths: underLegal(
      native(
        "privacy-policy",
        "politica-de-privacidad",
        "politica-de-privacidad",
        "politica-de-privacidade",
        "informativa-sulla-privacy",
        "datenschutzerklaerung",
      ),
    ),
    params: [],
    page: true,
    ...searchable,
  },
  "legal/licenses": {
    paths: underLegal(native("licenses", "licencias", "licencias", "licencas", "licenze", "lizenzen")),
    params: [],
    page: true,
    ...searchable,
  },
  "legal/data-protection-authorities": {
    paths: underLegal(
      native(
        "data-protection-authorities",
        "autoridades-de-proteccion-de-datos",
        "autoridades-de-proteccion-de-datos",
        "autoridades-de-protecao-de-dados",
        "autorita-per-la-protezione-dei-dati",
        "datenschutzbehoerden",
      ),
    ),
    params: [],
    page: true,
    ...unlisted,
  },
  "legal/marketing-and-advertising-networks": {
    paths: underLegal(
      native(
        "marketing-and-advertising-networks",
        "redes-de-marketing-y-publicidad",
        "redes-de-marketing-y-publicidad",
        "redes-de-marketing-e-publicidade",
        "reti-di-marketing-e-pubblicita",
        "marketing-und-werbenetzwerke",
      ),
    ),
    params: [],
    page: true,
    ...unlisted,
  },
  "legal/service-providers": {
    paths: underLegal(
      native(
        "service-providers",
        "proveedores-de-servicios",
        "proveedores-de-servicios",
        "prestadores-de-servicos",
        "fornitori-di-servizi",
        "dienstleister",
      ),
    ),
    params: [],
    page: true,
    ...unlisted,
  },
  imprint: {
    paths: underLegal(native("imprint", "aviso-legal", "aviso-legal", "dados-da-empresa", "chi-siamo", "impressum")),
    params: [],
    page: true,
    indexable: true,
    sitemap: false,
  },
  "contract/cancel": {
    paths: native(
      "cancel-a-contract",
      "boton-de-baja",
      "cancelar-un-contrato",
      "cancelar-um-contrato",
      "disdici-un-contratto",
      "vertraege-kuendigen",
    ),
    params: [],
    page: true,
    indexable: true,
    sitemap: false,
  },
  "contract/withdraw": {
    paths: native(
      "withdraw-from-a-contract",
      "boton-de-arrepentimiento",
      "desistir-de-un-contrato",
      "desistir-da-compra",
      "recedi-da-un-contratto",
      "vertrag-widerrufen",
    ),
    params: [],
    page: true,
    indexable: true,
    sitemap: false,
  },
  "legal/payment-providers": {
    paths: underLegal(
      native(
        "payment-providers",
        "proveedores-de-pago",
        "proveedores-de-pago",
        "provedores-de-pagamento",
        "fornitori-di-pagamento",
        "zahlungsanbieter",
      ),
    ),
    params: [],
    page: true,
    ...unlisted,
  },

  "login/link": { paths: login, params: [], page: true, ...searchable },
  "login/link-sent": {
    paths: underLogin(native("link", "enlace", "enlace", "link", "link", "link")),
    params: [],
    page: true,
    ...unlisted,
  },
  "login/expired": {
    paths: underLogin(native("expired", "caducado", "caducado", "expirado", "scaduto", "abgelaufen")),
    params: [],
    page: true,
    ...unlisted,
  },
  "login/failed": {
    paths: underLogin(native("failure", "error", "error", "erro", "errore", "fehler")),
    params: [],
    page: true,
    ...unlisted,
  },
  "login/account-exists": {
    paths: underLogin(
      native("account-exists", "cuenta-existente", "cuenta-existente", "conta-existente", "account-esistente", "konto-vorhanden"),
    ),
    params: [],
    page: true,
    ...unlisted,
  },

  "home-redirect": { paths: native("start", "comenzar", "empezar", "comecar", "inizia", "starten"), params: [], page: true, ...unlisted },
  "not-found": { paths: null, params: [], page: true, ...unlisted },
  error: { paths: null, params: [], page: true, ...unlisted },
} as const satisfies Readonly<Record<string, Row>>;

/** A locale's paths, in the order of the routes: shorter than with their names. Empty where a route has none. */
export type PathTable = readonly string[];
export type PathTables = Readonly<Partial<Record<Locale, PathTable>>>;

/** All paths. In the browser only `firstPaths`: the others come with the texts (`learnPaths`). */
export const pathTables = perLocale((locale): PathTable => Object.values(rows).map(({ paths }) => paths?.[locale] ?? ""));

/** How many routes a first question links to in every locale: home, and the first ones of the questionnaire. */
const onFirstQuestion = 4;

/** The paths that the browser knows before any texts have loaded. */
export function firstPaths(): PathTables {
  return perLocale((locale) => pathTables[locale].slice(0, onFirstQuestion));
}

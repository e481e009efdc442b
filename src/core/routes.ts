/**
 * Every public address: route × locale (spec 001 §2, spec 000 §2). The sitemap, alternates, redirects, links and the table of pages derive from
 * this table; no other file contains a path.
 */
import { otherPrefixes } from "./localeReach.ts";
import { type Locale, locales, localeTraits, perLocale } from "./locales.ts";

export type Slugs = Readonly<Record<Locale, string>>;

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

export const routes = {
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

export type RouteName = keyof typeof routes;
export const routeNames = Object.keys(routes).filter((name): name is RouteName => Object.hasOwn(routes, name));

/** Routes that show a page. The table of pages has these keys, so a missing page does not compile. */
export type PageRoute = { [K in RouteName]: (typeof routes)[K]["page"] extends true ? K : never }[RouteName];
/** Routes that only redirect. The table of redirects has these keys. */
export type RedirectRoute = { [K in RouteName]: (typeof routes)[K]["page"] extends "redirect" ? K : never }[RouteName];
/** Routes that have an address. */
export type AddressedRoute = { [K in RouteName]: (typeof routes)[K]["paths"] extends null ? never : K }[RouteName];

export type RouteParams<K extends RouteName> = { readonly [P in (typeof routes)[K]["params"][number]]: string };
/** The question id in link templates (spec 001 §9). Pages after the funnel have higher ids, questions lower ones. */
export const templateQuestionId = 999;
/** The highest id of a page after the funnel. */
export const highestQuestionId = 1012;

/** The id of a question or of a page after the funnel; undefined for other pages. */
export function questionIdAt(route: RouteName, { question }: AnyParams = {}): number | undefined {
  const row: Row = routes[route];
  return question === undefined ? row.questionId : Number(question);
}

/** Any route's parameters, for code that treats all routes alike. */
export type AnyParams = Readonly<Partial<Record<"version" | "question", string>>>;

interface Named<K> {
  readonly route: K;
  readonly locale: Locale;
  readonly params: AnyParams;
}
export type RouteMatch =
  | ({ readonly kind: "page" } & Named<PageRoute>)
  /** An address that only redirects; the server decides where to. */
  | ({ readonly kind: "redirectRoute" } & Named<RedirectRoute>);

export type Match =
  | RouteMatch
  /** `/`: the home page in the stored locale, or else in the browser's preferred one. */
  | { readonly kind: "root" }
  /**
   * 301 to this path, keeping the query. `to` is the route that the path leads to; null is the root. If that route redirects too, the
   * server answers both redirects with one.
   */
  | { readonly kind: "redirect"; readonly path: string; readonly to: RouteMatch | null }
  | { readonly kind: "none"; /** The locale of the not-found page, if the path names one. */ readonly locale: Locale | null };

const localeOfPrefix: ReadonlyMap<string, Locale> = new Map(
  locales.flatMap((locale) => [localeTraits[locale].prefix, ...otherPrefixes[locale]].map((prefix): [string, Locale] => [prefix, locale])),
);
/** The only locale whose pages also have addresses without a prefix (spec 001 §2). */
const unprefixedLocale: Locale = "es-419";

/** The path of a route with its parameters, prefixed and with a trailing slash: `/es-latam/habla-ingles/76/2/`. */
export function buildPath<K extends AddressedRoute>(
  route: K,
  locale: Locale,
  ...[params]: AddressedRoute extends K ? [AnyParams] : (typeof routes)[K]["params"] extends readonly [] ? [] : [RouteParams<K>]
): string {
  return `/${localeTraits[locale].prefix}${below(route, locale, params ?? {})}`;
}

function below(route: AddressedRoute, locale: Locale, params: AnyParams): string {
  const path = routes[route].paths[locale].replace(/\{(version|question)\}/g, (_, name: "version" | "question") =>
    encodeURIComponent(params[name] ?? ""),
  );
  return path === "" ? "/" : `/${path}/`;
}

interface Pattern {
  readonly route: AddressedRoute;
  readonly segments: readonly string[];
}
function patternsOf(locale: Locale): readonly Pattern[] {
  const rows = routeNames
    .filter(isAddressed)
    .map((route) => ({ route, segments: routes[route].paths[locale].split("/").filter((segment) => segment !== "") }));
  // Fixed words match before variable ones.
  return rows.toSorted((a, b) => variables(a) - variables(b));
}
function variables(pattern: Pattern): number {
  return pattern.segments.filter((segment) => segment.startsWith("{")).length;
}
const patterns = perLocale(patternsOf);

interface Found {
  readonly route: AddressedRoute;
  readonly params: AnyParams;
}

function matchBelow(locale: Locale, segments: readonly string[]): Found | null {
  for (const pattern of patterns[locale]) {
    if (pattern.segments.length !== segments.length) continue;
    const params: Partial<Record<"version" | "question", string>> = {};
    const fits = segments.every((segment, index) => {
      const wanted = pattern.segments[index];
      if (wanted === "{version}") params.version = segment;
      else if (wanted === "{question}") {
        params.question = segment;
        return /^\d+$/.test(segment);
      } else return wanted === segment;
      return true;
    });
    if (fits) return { route: pattern.route, params };
  }
  return null;
}

export function isPageRoute<K extends RouteName>(route: K): route is K & PageRoute {
  return routes[route].page === true;
}
export function isAddressed<K extends RouteName>(route: K): route is K & AddressedRoute {
  return routes[route].paths !== null;
}

/**
 * Matches a path (without query). Prefix, missing slash and doubled slashes are corrected in one redirect (spec 001 §2). Any word matches as a
 * version; the page checks whether it exists.
 */
export function matchPath(pathname: string): Match {
  let segments: readonly string[];
  try {
    segments = pathname
      .split("/")
      .filter((segment) => segment !== "")
      .map(decodeURIComponent);
  } catch {
    // Broken percent-encoding matches nothing.
    return { kind: "none", locale: null };
  }
  const [first, ...rest] = segments;
  if (first === undefined) return pathname === "/" ? { kind: "root" } : { kind: "redirect", path: "/", to: null };

  const prefixLocale = localeOfPrefix.get(first.toLowerCase());
  if (prefixLocale !== undefined) {
    const found = matchBelow(prefixLocale, rest);
    return found === null
      ? { kind: "none", locale: prefixLocale }
      : pageOrRedirect(pathname, `/${localeTraits[prefixLocale].prefix}`, prefixLocale, found);
  }
  const unprefixed = matchBelow(unprefixedLocale, segments);
  if (unprefixed !== null) return pageOrRedirect(pathname, "", unprefixedLocale, unprefixed);
  for (const locale of locales) {
    const found = matchBelow(locale, segments);
    if (found !== null) return pageOrRedirect(pathname, `/${localeTraits[locale].prefix}`, locale, found);
  }
  return { kind: "none", locale: null };
}

/** The page if the path is spelled canonically, else a redirect to that spelling. */
function pageOrRedirect(pathname: string, prefix: string, locale: Locale, { route, params }: Found): Match {
  const path = prefix + below(route, locale, params);
  const to: RouteMatch = isPageRoute(route) ? { kind: "page", route, locale, params } : { kind: "redirectRoute", route, locale, params };
  return path === pathname ? to : { kind: "redirect", path, to };
}

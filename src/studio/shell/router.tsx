/** Routes of the studio. A screen's code loads on its first visit, after its search parameters are validated. */
import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { funnelSearch, visitsSearch } from "../funnel/search.ts";
import { moneySearch } from "../money/search.ts";
import { operationsSearch } from "../operations/search.ts";
import { peopleSearch } from "../people/search.ts";
import { personSearch } from "../person/search.ts";
import { settingsSearch } from "../settings/search.ts";
import { todaySearch } from "../today/search.ts";
import { versionsSearch } from "../versions/search.ts";
import { parseSearch, stringifySearch } from "./search.ts";
import { NotFound, ScreenFailed, ScreenLoading, Shell } from "./Shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const at = { getParentRoute: () => root } as const;

const today = createRoute({ ...at, path: "/", validateSearch: todaySearch }).lazy(() =>
  import("../today/screen.tsx").then(({ Route }) => Route),
);
/** `/today` redirects to the first screen. */
const named = createRoute({
  ...at,
  path: "/today",
  beforeLoad: () => {
    throw redirect({ to: "/", replace: true });
  },
});
const funnel = createRoute({ ...at, path: "/funnel", validateSearch: funnelSearch }).lazy(() =>
  import("../funnel/screen.tsx").then(({ Route }) => Route),
);
const visits = createRoute({ ...at, path: "/funnel/visits", validateSearch: visitsSearch }).lazy(() =>
  import("../funnel/visits.tsx").then(({ Route }) => Route),
);
const versions = createRoute({ ...at, path: "/versions", validateSearch: versionsSearch }).lazy(() =>
  import("../versions/screen.tsx").then(({ Route }) => Route),
);
const people = createRoute({ ...at, path: "/people", validateSearch: peopleSearch }).lazy(() =>
  import("../people/screen.tsx").then(({ Route }) => Route),
);
const person = createRoute({ ...at, path: "/people/$uuid", validateSearch: personSearch }).lazy(() =>
  import("../person/screen.tsx").then(({ Route }) => Route),
);
const money = createRoute({ ...at, path: "/money", validateSearch: moneySearch }).lazy(() =>
  import("../money/screen.tsx").then(({ Route }) => Route),
);
const operations = createRoute({ ...at, path: "/operations", validateSearch: operationsSearch }).lazy(() =>
  import("../operations/screen.tsx").then(({ Route }) => Route),
);
const settings = createRoute({ ...at, path: "/settings", validateSearch: settingsSearch }).lazy(() =>
  import("../settings/screen.tsx").then(({ Route }) => Route),
);
/** Target of mailed links. The token is in the fragment. */
const enter = createRoute({ ...at, path: "/enter" }).lazy(() => import("../settings/enter.tsx").then(({ Route }) => Route));
/** Return URL of the company's sign-in. */
const enterByCompany = createRoute({ ...at, path: "/enter/company" }).lazy(() =>
  import("../settings/enterByCompany.tsx").then(({ Route }) => Route),
);

export const router = createRouter({
  routeTree: root.addChildren([today, named, funnel, visits, versions, people, person, money, operations, settings, enter, enterByCompany]),
  basepath: "/studio",
  parseSearch,
  stringifySearch,
  defaultPendingMs: 300,
  defaultPendingComponent: ScreenLoading,
  defaultErrorComponent: ScreenFailed,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

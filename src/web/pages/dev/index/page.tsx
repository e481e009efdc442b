import { buildPath } from "#core/routes.ts";
import type { Page } from "../../../page.ts";
import { useSite } from "../../../siteContext.tsx";
import styles from "../dev.module.css";
import { Frame, tools } from "../Frame.tsx";

function View() {
  const { locale } = useSite();
  const elsewhere = [
    // Built sites have no pseudo-locale.
    ...(import.meta.env.DEV
      ? [
          {
            path: `${buildPath("home", locale)}?pseudo`,
            name: "Pseudo-locale",
            what: "Any page with ?pseudo: texts with accents, brackets and 40 % more of them",
          },
        ]
      : []),
    { path: "/dev/mail", name: "Mail", what: "What the site sent, instead of sending it" },
    { path: "/standins/paddle", name: "Payments", what: "The payment provider's stand-in: renew, refund, break it" },
    { path: "/standins/app/dashboard", name: "App host", what: "What the learning app would be told" },
    { path: "/api/openapi.json", name: "OpenAPI", what: "The contract, generated from its table" },
  ];
  return (
    <Frame route="dev/index" title="Developer pages">
      <ul className={styles["list"]}>
        {[...tools.map(({ route, ...tool }) => ({ ...tool, path: buildPath(route, locale) })), ...elsewhere].map(({ path, name, what }) => (
          <li key={path}>
            <a href={path}>{name}</a>: {what}
          </li>
        ))}
      </ul>
    </Frame>
  );
}

export const page: Page = { title: () => "Developer pages", View };

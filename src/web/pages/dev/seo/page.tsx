/** Every address with its served metadata and the mistakes in it. */
import { type Locale, locales } from "#core/locales.ts";
import { type AddressedRoute, type AnyParams, buildPath, isAddressed, isPageRoute, routeNames, routes } from "#core/routes.ts";
import { useEffect, useEffectEvent, useState } from "react";
import type { Page } from "../../../page.ts";
import { useSite } from "../../../siteContext.tsx";
import styles from "../dev.module.css";
import { Frame } from "../Frame.tsx";
import { type Head, headOf, warningsOf } from "./head.ts";

interface Row {
  readonly route: AddressedRoute;
  readonly locale: Locale;
  readonly path: string;
  readonly head: Head | null;
}

interface JudgedRow extends Row {
  readonly warnings: readonly string[];
}

/** Number of parallel requests. */
const atOnce = 4;

const columns = ["Route", "Address", "Status", "Title", "Description", "Robots", "Canonical", "Alternates", "JSON-LD", "Warnings"];

/** All pages' addresses. Their metadata is added as it is read. */
function useRows(): readonly Row[] {
  const { session } = useSite();
  const params: AnyParams = { version: session.compiled.definition.id, question: String(session.compiled.definition.initialQuestion) };
  const [rows, setRows] = useState<readonly Row[]>(() =>
    routeNames
      .filter(isAddressed)
      .filter((route) => isPageRoute(route) && !route.startsWith("dev/"))
      .flatMap((route) => locales.map((of) => ({ route, locale: of, path: buildPath<AddressedRoute>(route, of, params), head: null }))),
  );

  const read = useEffectEvent((stop: AbortController) => {
    const waiting = [...rows];
    const worker = async () => {
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
        const { path } = row;
        const response = await fetch(path, { signal: stop.signal, redirect: "manual" });
        const head = headOf(
          new DOMParser().parseFromString(await response.text(), "text/html"),
          response.status,
          response.headers.get("x-robots-tag"),
        );
        setRows((known) => known.map((one) => (one.path === path ? { ...one, head } : one)));
      }
    };
    // The page was left, so the remaining requests do not matter.
    Promise.all(Array.from({ length: atOnce }, worker)).catch(() => undefined);
  });
  useEffect(() => {
    const stop = new AbortController();
    read(stop);
    return () => stop.abort();
  }, []);
  return rows;
}

function View() {
  const { client } = useSite();
  const rows = useRows();
  const [only, setOnly] = useState<"all" | "indexable" | "warnings">("all");
  const heads = new Map(rows.flatMap(({ path, head }) => (head === null ? [] : [[path, head] as const])));
  const judged = rows.map((row): JudgedRow => ({
    ...row,
    warnings: row.head === null ? [] : warningsOf(row.head, { indexable: routes[row.route].indexable, publicUrl: client.publicUrl, heads }),
  }));
  const shown = judged.filter(
    ({ route, warnings }) => only === "all" || (only === "warnings" ? warnings.length > 0 : routes[route].indexable),
  );
  return (
    <Frame route="dev/seo" title="Addresses and their metadata">
      <p role="status">
        {heads.size} of {rows.length} addresses read, {judged.filter(({ warnings }) => warnings.length > 0).length} with warnings. Site map:{" "}
        <a href="/sitemap.xml">/sitemap.xml</a>.
      </p>
      <p>
        {(["all", "indexable", "warnings"] as const).map((value) => (
          <label key={value}>
            <input type="radio" name="only" checked={only === value} onChange={() => setOnly(value)} /> {value}{" "}
          </label>
        ))}
      </p>
      <Addresses rows={shown} />
    </Frame>
  );
}

function Addresses({ rows }: { readonly rows: readonly JudgedRow[] }) {
  const { client } = useSite();
  return (
    <div className={styles["scroll"]}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ route, path, head, warnings }) => (
            <tr key={path}>
              <th scope="row">{route}</th>
              <td>
                <a href={path}>{path}</a>
              </td>
              <td>{head?.status ?? "…"}</td>
              <td>{head?.title}</td>
              <td>{head?.description}</td>
              <td>{head?.robots.join(", ")}</td>
              <td>{head?.canonical === client.publicUrl + path ? "itself" : head?.canonical}</td>
              <td>{head?.alternates.map(({ hreflang }) => hreflang).join(" ")}</td>
              <td>{head?.structured.join(", ")}</td>
              <td className={styles["warning"]}>{warnings.join("; ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export const page: Page = { title: () => "Addresses and their metadata", View };

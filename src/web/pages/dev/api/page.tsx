/** Every API endpoint: its schema, a form to call it, and the response. */
import { appVersion } from "#core/appVersion.ts";
import { type Endpoint, endpoints, type EndpointSpec } from "#core/api.ts";
import { errorCodes } from "#core/errors.ts";
import { withQuery } from "#core/withQuery.ts";
import { toJsonSchema } from "@valibot/to-json-schema";
import { useState } from "react";
import type * as v from "valibot";
import type { Page } from "../../../page.ts";
import { readDevice } from "../../../device/device.ts";
import { useSession, useSite } from "../../../siteContext.tsx";
import styles from "../dev.module.css";
import { Frame } from "../Frame.tsx";
import { exampleOf } from "./example.ts";

const calls = Object.entries(endpoints).map(([name, spec]): { readonly name: string; readonly spec: EndpointSpec } => ({ name, spec }));

function schemaOf(schema: v.GenericSchema) {
  return toJsonSchema(schema, { errorMode: "ignore", typeMode: "input" });
}

function View() {
  return (
    <Frame route="dev/api" title="Calls">
      <p>{calls.length} calls, from the table that server, client and OpenAPI read. A stored token goes along where a call asks for one.</p>
      {calls.map(({ name, spec }) => (
        <Call key={name} name={name} spec={spec} />
      ))}
    </Frame>
  );
}

interface CallProps {
  readonly name: Endpoint | string;
  readonly spec: EndpointSpec;
}

function Call({ name, spec }: CallProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles["call"]} id={name} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <b>{spec.method}</b> {spec.path} <code>{name}</code>
        <code>{spec.auth === "none" ? "" : spec.auth}</code>
      </summary>
      {open && <Form spec={spec} />}
    </details>
  );
}

function Form({ spec }: { readonly spec: EndpointSpec }) {
  const { services } = useSite();
  const { live } = useSession();
  const filled = (schema: v.GenericSchema | undefined) =>
    schema === undefined ? "" : JSON.stringify(exampleOf(schemaOf(schema)), null, 2);
  const [query, setQuery] = useState(() => filled(spec.query));
  const [body, setBody] = useState(() => filled(spec.body));
  const [answer, setAnswer] = useState("");

  async function send() {
    setAnswer("…");
    const device = readDevice(services.store);
    const token = services.store.get("token");
    const base = spec.at === "site" ? "" : `${device?.backendUrlWeb ?? "/api"}/`;
    try {
      const asked: unknown = query === "" ? {} : JSON.parse(query);
      const parameters = new URLSearchParams(
        typeof asked === "object" && asked !== null ? Object.entries(asked).map(([key, value]) => [key, String(value)]) : [],
      );
      const started = performance.now();
      const response = await fetch(withQuery(base + spec.path, parameters), {
        method: spec.method,
        headers: {
          "x-client": `parlando-web/${appVersion}`,
          "x-device-id": device?.deviceUuid ?? "",
          ...(spec.body ? { "content-type": "application/json" } : {}),
          ...(token !== null && spec.auth !== "none" ? { authorization: `Bearer ${token}` } : {}),
        },
        ...(spec.body ? { body } : {}),
      });
      const text = await response.text();
      setAnswer(`${response.status} ${response.statusText}, ${Math.round(performance.now() - started)} ms\n\n${indented(text)}`);
    } catch (error) {
      setAnswer(String(error));
    }
  }

  return (
    <div className={styles["in"]}>
      {spec.query && (
        <label>
          Query
          <textarea rows={4} value={query} onChange={({ target }) => setQuery(target.value)} spellCheck={false} />
        </label>
      )}
      {spec.body && (
        <label>
          Body
          <textarea rows={8} value={body} onChange={({ target }) => setBody(target.value)} spellCheck={false} />
        </label>
      )}
      <div className={styles["buttons"]}>
        <button type="button" disabled={!live} onClick={() => void send()}>
          Send
        </button>
      </div>
      {answer !== "" && <pre role="status">{answer}</pre>}
      <p>
        Expected errors: {spec.errors.length === 0 ? "none" : spec.errors.map((code) => `${code} (${errorCodes[code].status})`).join(", ")}.
        Success: {spec.status ?? 200}.
      </p>
      <pre>
        {JSON.stringify(
          {
            ...(spec.query && { query: schemaOf(spec.query) }),
            ...(spec.body && { body: schemaOf(spec.body) }),
            output: schemaOf(spec.output),
          },
          null,
          2,
        )}
      </pre>
    </div>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: shown unchanged.
    return text;
  }
}

export const page: Page = { title: () => "Calls", View };

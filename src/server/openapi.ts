/** The contract as an OpenAPI 3.1 document, generated from the table of calls. */
import { type Endpoint, endpoints, type EndpointSpec, savedStateInputSchema } from "#core/api.ts";
import { errorBodySchema } from "#core/errorBody.ts";
import { codesOfEveryCall, type ErrorCode, errorCodes } from "#core/errors.ts";
import { receivedStateSchema } from "#core/questionnaire/storedState.ts";
import { stateSchema } from "#core/questionnaire/state.ts";
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";

const { visitedQuestionIds, selectedOptions } = savedStateInputSchema.entries;
/** Leaves out what JSON Schema cannot express (checks, transformations). The server still enforces it. */
function schemaOf(schema: v.GenericSchema, typeMode: "input" | "output"): Omit<JsonSchema, "$schema"> {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    typeMode,
    errorMode: "ignore",
    // The history of a saved state is checked by code, so only its shape is described.
    overrideSchema: ({ valibotSchema }) =>
      valibotSchema === visitedQuestionIds
        ? schemaOf(stateSchema.entries.visitedQuestionIds, typeMode)
        : valibotSchema === selectedOptions.pipe[0]
          ? schemaOf(stateSchema.entries.selectedOptions, typeMode)
          : valibotSchema === receivedStateSchema.pipe[0]
            ? { anyOf: [schemaOf(stateSchema, typeMode), { const: "invalid" }] }
            : undefined,
  });
  return rest;
}

function queryParameters(schema: v.GenericSchema) {
  const { properties = {}, required = [] } = schemaOf(schema, "input");
  return Object.entries(properties).map(([name, property]) => ({ name, in: "query", required: required.includes(name), schema: property }));
}

function responses(spec: EndpointSpec) {
  const codes: readonly ErrorCode[] = [...new Set([...spec.errors, ...codesOfEveryCall])];
  const byStatus = Map.groupBy(codes, (code) => errorCodes[code].status);
  return {
    [String(spec.status ?? 200)]: { description: "Done", content: { "application/json": { schema: schemaOf(spec.output, "input") } } },
    ...Object.fromEntries(
      [...byStatus].map(([status, listed]) => [
        String(status),
        {
          description: listed.map((code) => `${code}: ${errorCodes[code].message}`).join(" "),
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      ]),
    ),
  };
}

function operation(key: Endpoint, spec: EndpointSpec) {
  return {
    operationId: key,
    ...(spec.auth === "bearer" ? { security: [{ bearer: [] }] } : spec.auth === "optional" ? { security: [{}, { bearer: [] }] } : {}),
    ...(spec.query ? { parameters: queryParameters(spec.query) } : {}),
    ...(spec.body ? { requestBody: { required: true, content: { "application/json": { schema: schemaOf(spec.body, "input") } } } } : {}),
    responses: responses(spec),
  };
}

/** The document for the given calls. `backendUrl` is the API's base, `publicUrl` the site's origin. */
export function openapiOf(
  keys: readonly Endpoint[],
  { backendUrl, publicUrl, version }: { readonly backendUrl: string; readonly publicUrl: string; readonly version: string },
) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const key of keys) {
    const spec: EndpointSpec = endpoints[key];
    const path = spec.at === "site" ? spec.path : `/${spec.path}`;
    paths[path] = {
      ...paths[path],
      ...(spec.at === "site" ? { servers: [{ url: publicUrl }] } : {}),
      [spec.method.toLowerCase()]: operation(key, spec),
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Parlando", version },
    servers: [{ url: backendUrl }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: { Error: schemaOf(errorBodySchema, "output") },
    },
  };
}

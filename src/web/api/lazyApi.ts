/** Loads the API client with the first call: the first question needs none. */
import type { Endpoint } from "#core/api.ts";
import type { Api } from "./client.ts";

export function lazyApi(load: () => Promise<Api>, unsent: (endpoint: Endpoint, error: unknown) => void): Api {
  let loading: Promise<Api> | null = null;
  return {
    async call(endpoint, input) {
      loading ??= load();
      loading.catch((error: unknown) => {
        // After a failure the next call loads the module again.
        loading = null;
        unsent(endpoint, error);
      });
      return (await loading).call(endpoint, input);
    },
  };
}

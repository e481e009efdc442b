/** The client of the calls, fetched with the first call: showing the first question takes none. */
import type { Endpoint } from "#core/api.ts";
import type { Api } from "./client.ts";

export function laterApi(load: () => Promise<Api>, unsent: (endpoint: Endpoint, error: unknown) => void): Api {
  let loading: Promise<Api> | null = null;
  return {
    async call(endpoint, input) {
      loading ??= load();
      loading.catch((error: unknown) => {
        // A module that did not come is asked for again.
        loading = null;
        unsent(endpoint, error);
      });
      return (await loading).call(endpoint, input);
    },
  };
}

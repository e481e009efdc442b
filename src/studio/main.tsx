/** Entry point of the studio. */
import * as codes from "#core/errorCodes.ts";
import "./styles/base.css";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { StudioError } from "./client.ts";
import { requireSignIn, isSignInRequired } from "./shell/freshSession.ts";
import { router } from "./shell/router.tsx";
import { startTheme } from "./shell/theme.ts";

const triesMore = 2;

/** Shows the sign-in page when any call fails because the session has ended. */
const hear = (error: Error) => {
  if (!(error instanceof StudioError)) return;
  if (error.stale) requireSignIn();
  else if (error.signedOut) void queries.resetQueries({ queryKey: ["me"] });
};
const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[0] !== "me") hear(error);
    },
  }),
  mutationCache: new MutationCache({ onError: hear }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: () => !isSignInRequired(),
      // Only network and server errors are retried.
      retry: (tried, error) => tried < triesMore && error instanceof StudioError && (error.code === 0 || error.code >= codes.unexpected),
    },
  },
});

startTheme();
const root = document.querySelector("#studio");
if (root === null) throw new Error("index.html has no root element");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

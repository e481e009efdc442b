/** The return page of the company's sign-in (OIDC). */
import * as codes from "#core/errorCodes.ts";
import { useQueryClient } from "@tanstack/react-query";
import { createLazyRoute, Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { call, StudioError } from "../client.ts";
import { buttonClass } from "../parts/Button.tsx";
import { Loading } from "../parts/State.tsx";
import { Card, companyKey } from "../shell/SignIn.tsx";

export const Route = createLazyRoute("/enter/company")({ component: EnterByCompany });

/** The pending request. Keeps React's renders from sending it twice. */
let pending: Promise<unknown> | null = null;
function enter(): Promise<unknown> {
  const challenge = sessionStorage.getItem(companyKey);
  const { search } = location;
  sessionStorage.removeItem(companyKey);
  // Removes the code from the history.
  history.replaceState(history.state, "", location.pathname);
  return challenge === null || search === ""
    ? Promise.reject(new StudioError(codes.invalidLink))
    : call("enterByCompany", { challenge, search });
}

function EnterByCompany() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    pending ??= enter();
    pending.then(
      async () => {
        queries.clear();
        await navigate({ to: "/" });
      },
      (error: unknown) =>
        setProblem(
          error instanceof StudioError && error.code === codes.forbidden
            ? "Your company account does not belong to an operator. Ask an admin to invite you."
            : "The sign-in failed. Start again.",
        ),
    );
  }, [queries, navigate]);
  return (
    <Card title={problem === null ? "Signing in" : "You are not signed in"} says={problem ?? ""}>
      {problem === null ? (
        <Loading />
      ) : (
        <Link to="/" className={buttonClass("main")}>
          Back to signing in
        </Link>
      )}
    </Card>
  );
}

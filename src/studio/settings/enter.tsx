/** Landing page of mailed links. Only the button consumes the link, because mail programs open links by themselves. */
import { useQueryClient } from "@tanstack/react-query";
import { createLazyRoute, Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { call, type Output, StudioError } from "../client.ts";
import { Button, buttonClass } from "../parts/Button.tsx";
import { TextField } from "../parts/Field.tsx";
import { Notice } from "../parts/Signs.tsx";
import { Loading } from "../parts/State.tsx";
import { Card } from "../shell/SignIn.tsx";

export const Route = createLazyRoute("/enter")({ component: Enter });

type Found = Output<"linkOwner"> | { readonly problem: string };
const problemOf = (error: unknown) => (error instanceof StudioError ? error.message : "Something went wrong.");

function Enter() {
  const [token] = useState(() => location.hash.slice(1));
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    // Removes the token from the history.
    history.replaceState(history.state, "", location.pathname);
    call("linkOwner", { token }).then(setFound, (error: unknown) => setFound({ problem: problemOf(error) }));
  }, [token]);
  if (found === null)
    return (
      <Card title="Sign in" says="">
        <Loading />
      </Card>
    );
  if ("problem" in found)
    return (
      <Card title="This link no longer works" says={found.problem}>
        <Link to="/" className={buttonClass("main")}>
          Ask for a new one
        </Link>
      </Card>
    );
  return <Accept found={found} token={token} />;
}

const heads = { first: "Welcome to the studio", invitation: "Welcome to the studio", "sign-in": "Sign in" } as const;

function Accept({ found, token }: { readonly found: Output<"linkOwner">; readonly token: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const isFirst = found.purpose === "first";
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const said = isFirst ? { email: String(form.get("email")), name: String(form.get("name")) } : {};
    setBusy(true);
    try {
      await call("enterByLink", { token, ...said });
      queries.clear();
      // Offers a passkey to operators without one.
      await navigate(found.purpose === "sign-in" ? { to: "/" } : { to: "/settings", search: { part: "me" } });
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <Card
      title={heads[found.purpose]}
      says={isFirst ? "You are the first operator and an admin: you can invite others." : `You sign in as ${found.email ?? ""}.`}
    >
      <form className="stack" onSubmit={(event) => void submit(event)}>
        {isFirst && (
          <>
            <TextField label="Your name" name="name" required maxLength={80} autoComplete="name" />
            <TextField label="Your e-mail address" name="email" type="email" required autoComplete="email" hint="Sign-in links go there." />
          </>
        )}
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
        <Button type="submit" kind="main" busy={busy}>
          {isFirst ? "Begin" : "Sign in"}
        </Button>
      </form>
    </Card>
  );
}

/** The frame of every screen: navigation rail, top bar, signed-in operator, dialogs. */
import { useQueryClient } from "@tanstack/react-query";
import { type ErrorComponentProps, Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { type StudioError, useCall } from "../client.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { buttonClass } from "../parts/Button.tsx";
import { Empty, Failed, Loading } from "../parts/State.tsx";
import { clearSignInRequired, useSignInRequired } from "./freshSession.ts";
import { Keyboard } from "./Keyboard.tsx";
import { MeContext } from "./operator.ts";
import { Palette } from "./Palette.tsx";
import { PhoneBar, Rail } from "./Rail.tsx";
import styles from "./Shell.module.css";
import { SignIn, SignInForm } from "./SignIn.tsx";
import { TopBar } from "./TopBar.tsx";

/** Screens with a wide list or panel: the rail shows icons only. */
const narrow = /^\/(?:funnel|people\/[^/]|versions)/;

export function Shell() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const entering = /^\/enter(?:\/|$)/.test(path);
  const me = useCall("me", {}, { enabled: !entering });
  const [searching, setSearching] = useState(false);
  const asked = useSignInRequired();
  const queries = useQueryClient();

  if (entering) return <Outlet />;
  const error: StudioError | null = me.error;
  if (me.data === undefined || error?.signedOut === true) {
    if (error === null) return <Loading />;
    return error.signedOut ? (
      <SignIn onIn={() => void queries.resetQueries()} />
    ) : (
      <Failed error={error} onRetry={() => void me.refetch()} />
    );
  }
  const again = async () => {
    clearSignInRequired();
    await queries.invalidateQueries();
  };
  return (
    <MeContext value={me.data}>
      <a href="#screen" className={styles["skip"]}>
        Skip to the screen
      </a>
      <div className={styles["app"]} data-narrow={narrow.test(path) || undefined}>
        <Rail />
        <div className={styles["beside"]}>
          <TopBar onSearch={() => setSearching(true)} />
          <main id="screen" className={styles["screen"]} tabIndex={-1}>
            <Outlet />
          </main>
        </div>
        <PhoneBar />
      </div>
      <Keyboard onSearch={() => setSearching(true)} />
      {searching && <Palette onClose={() => setSearching(false)} />}
      {asked && (
        <Dialog title="Sign in again" onClose={clearSignInRequired}>
          <p className="quiet">You were away for 15 minutes. People, money, operators and passkeys ask who is there before they go on.</p>
          <SignInForm onIn={() => void again()} email={me.data.operator.email} />
        </Dialog>
      )}
    </MeContext>
  );
}

export function ScreenLoading() {
  return (
    <div className={styles["padded"]}>
      <Loading rows={6} />
    </div>
  );
}

export function ScreenFailed({ error, reset }: ErrorComponentProps) {
  return (
    <div className={styles["padded"]}>
      <Failed error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
    </div>
  );
}

export function NotFound() {
  return (
    <Empty
      title="This screen does not exist"
      actions={
        <Link to="/" className={buttonClass()}>
          Today
        </Link>
      }
    >
      The address may be mistyped, or of a newer studio: reload the page then.
    </Empty>
  );
}

/** The frame of every screen: navigation rail, top bar, signed-in operator, dialogs. */
import { useQueryClient } from "@tanstack/react-query";
import { type ErrorComponentProps, Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { type StudioError, useCall } from "../client.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { mayAs } from "../contract/call.ts";
import { buttonClass } from "../parts/Button.tsx";
import { classes } from "../parts/classes.ts";
import { Refused } from "../parts/Refused.tsx";
import { Empty, Failed, Loading } from "../parts/State.tsx";
import { clearSignInRequired, useSignInRequired } from "./freshSession.ts";
import { Keyboard } from "./Keyboard.tsx";
import { KeysHelp } from "./KeysHelp.tsx";
import { places } from "../screens.ts";
import { MeContext, useMe } from "./operator.ts";
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
  const [helping, setHelping] = useState(false);
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
          <TopBar onSearch={() => setSearching(true)} onHelp={() => setHelping(true)} />
          <main id="screen" className={styles["screen"]} tabIndex={-1}>
            <Screen path={path} />
          </main>
        </div>
        <PhoneBar />
      </div>
      <Keyboard onSearch={() => setSearching(true)} onHelp={() => setHelping(true)} />
      {searching && <Palette onClose={() => setSearching(false)} />}
      {helping && <KeysHelp onClose={() => setHelping(false)} />}
      {asked && (
        <Dialog title="Sign in again" onClose={clearSignInRequired}>
          <p className="quiet">You were away for 15 minutes. People, money, operators and passkeys ask who is there before they go on.</p>
          <SignInForm onIn={() => void again()} email={me.data.operator.email} />
        </Dialog>
      )}
    </MeContext>
  );
}

/** The screen. If it needs another role than the operator has: which role, who can give it, and a link to Today. */
function Screen({ path }: { readonly path: string }) {
  const { operator } = useMe();
  const place = places.find((each) => each.path !== "/" && path.startsWith(each.path));
  if (place === undefined || mayAs(operator.role, place.role)) return <Outlet />;
  return (
    <div className={classes(styles["padded"], styles["refused"])}>
      <h1>{place.title}</h1>
      <Refused needs={place.role} />
      <Link to="/" className={buttonClass()}>
        Today
      </Link>
    </div>
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

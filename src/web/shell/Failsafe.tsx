/** When a page breaks while it is shown, the error page stands in its place, and the operator hears of it (spec 001 §8). */
import { Component, type FunctionComponent, type ReactNode, useEffect, useState } from "react";
import { pages } from "../pages.ts";
import { useSite } from "../siteContext.tsx";

interface FailsafeProps {
  readonly onError: (error: unknown) => void;
  readonly children: ReactNode;
}

/** React knows error boundaries only as classes. */
export class Failsafe extends Component<FailsafeProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.onError(error);
  }

  override render() {
    return this.state.failed ? <ErrorPage /> : this.props.children;
  }
}

/** Fetched when it is needed; its few words are there at once. */
function ErrorPage() {
  const { t, moreTexts } = useSite();
  const [View, setView] = useState<FunctionComponent<{ readonly params: object }> | null>(null);
  useEffect(() => {
    // Without a connection the plain words have to do.
    void Promise.all([pages.error(), moreTexts()]).then(
      ([{ page }]) => setView(() => page.View),
      () => undefined,
    );
  }, []);
  if (View !== null) return <View params={{}} />;
  return (
    <main id="main" tabIndex={-1} data-route="error">
      <h1>{t("shell.failed.title")}</h1>
      <p>{t("shell.failed.text")}</p>
      <a href="">{t("shell.failed.reload")}</a>
    </main>
  );
}

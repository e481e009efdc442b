/** The error boundary: shows a message instead of a page that fails to render, and reports the error (spec 001 §8). */
import { Component, type ReactNode } from "react";
import { SiteContext, type WebSite } from "../siteContext.tsx";

interface FailedProps {
  readonly children: ReactNode;
}

/** A class, because React supports error boundaries only as classes. */
export class Failed extends Component<FailedProps, { readonly failed: boolean }> {
  static override contextType = SiteContext;
  declare context: React.ContextType<typeof SiteContext>;
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    this.context?.services.report(error);
  }

  override render() {
    const site = this.context;
    if (!this.state.failed || site === null) return this.props.children;
    return <FailedMessage t={site.t} />;
  }
}

export function FailedMessage({ t }: Pick<WebSite, "t">) {
  return (
    <main role="alert" style={{ padding: "var(--s-10) var(--gutter)", textAlign: "center" }}>
      <h1>{t("shell.failed.title")}</h1>
      <p>{t("shell.failed.text")}</p>
      <p>
        <button type="button" onClick={() => location.reload()}>
          {t("shell.failed.reload")}
        </button>
      </p>
    </main>
  );
}

/** What stands where data will be: loading after 300 ms, nothing there, failed. Every screen shows these and no others. */
import { Inbox, RefreshCw } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { StudioError } from "../client.ts";
import { Button } from "./Button.tsx";
import { inWords } from "./formats.ts";
import { Say } from "./Signs.tsx";
import styles from "./State.module.css";

const shownAfterMs = 300;

/** The shape of what comes, without movement; not before 300 ms have passed. */
export function Loading({ rows = 4, says = "Loading" }: { readonly rows?: number; readonly says?: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), shownAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles["loading"]} role="status">
      <span className="heard">{late ? says : ""}</span>
      {late &&
        Array.from({ length: rows }, (_, index) => (
          <div key={index} aria-hidden="true">
            <i />
            <i />
            <i />
          </div>
        ))}
    </div>
  );
}

/** Says what emptied it, and takes that back in one step. */
export function Empty({
  title,
  children,
  actions,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <div className={styles["empty"]}>
      <span className={styles["mark"]}>
        <Inbox size={20} aria-hidden="true" />
      </span>
      <p className="strong">{title}</p>
      {children !== undefined && <p className="quiet">{children}</p>}
      {actions !== undefined && <div className="row">{actions}</div>}
    </div>
  );
}

export function Failed({
  error,
  onRetry,
  since,
}: {
  readonly error: Pick<StudioError, "message">;
  readonly onRetry?: () => void;
  readonly since?: number;
}) {
  return (
    <div className={styles["failed"]}>
      <Say tone="bad" title="This could not be shown">
        <p>{error.message}</p>
        {since !== undefined && since > 0 && <p className="small">What stands here is of {inWords.moment(since)} UTC.</p>}
      </Say>
      {onRetry !== undefined && (
        <Button onClick={onRetry}>
          <RefreshCw size={14} aria-hidden="true" />
          Try now
        </Button>
      )}
    </div>
  );
}

interface Asked<T> {
  readonly data: T | undefined;
  readonly error: StudioError | null;
  readonly isPending: boolean;
  readonly dataUpdatedAt: number;
  readonly refetch: () => unknown;
}

/** Shows the state of a `useCall`: loading, failed, or its data; data older than a failure stays below it, with its time. */
export function Shown<T>({
  of,
  rows,
  children,
}: {
  readonly of: Asked<T>;
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}) {
  const { data, error, isPending, dataUpdatedAt, refetch } = of;
  const retry = () => void refetch();
  if (data === undefined) {
    if (error !== null && !isPending) return <Failed error={error} onRetry={retry} />;
    return <Loading {...(rows === undefined ? {} : { rows })} />;
  }
  return (
    <>
      {error !== null && <Failed error={error} onRetry={retry} since={dataUpdatedAt} />}
      <div className={error === null ? "" : styles["old"]}>{children(data)}</div>
    </>
  );
}

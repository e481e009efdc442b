/** Placeholders for missing data on every screen: loading, empty, failed. */
import { Inbox, RefreshCw } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { StudioError } from "../client.ts";
import type { Role } from "../contract/call.ts";
import { Button } from "./Button.tsx";
import { inWords } from "./formats.ts";
import { Refused } from "./Refused.tsx";
import { Notice } from "./Signs.tsx";
import styles from "./State.module.css";

const shownAfterMs = 300;

/** A still skeleton of the coming rows. Appears after 300 ms. */
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

/** Says why there is no data. `actions` undo the cause, like clearing filters. */
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
  readonly error: Pick<StudioError, "message"> & { readonly needs?: Role | null };
  readonly onRetry?: () => void;
  readonly since?: number;
}) {
  // Trying again would not help.
  if (error.needs != null)
    return (
      <div className={styles["failed"]}>
        <Refused needs={error.needs} />
      </div>
    );
  return (
    <div className={styles["failed"]}>
      <Notice tone="bad" title="This could not be shown">
        <p>{error.message}</p>
        {since !== undefined && since > 0 && <p className="small">What stands here is of {inWords.moment(since)} UTC.</p>}
      </Notice>
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

/** Shows a `useCall`: loading, failed, or its data. After a failure, older data stays below the error with its time. */
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
      <div className={error === null ? styles["fresh"] : styles["old"]}>{children(data)}</div>
    </>
  );
}

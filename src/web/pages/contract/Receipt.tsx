import { formatsFor, momentIn } from "#core/formats.ts";
import { Button } from "#ui/Button.tsx";
import { unbroken } from "#ui/richText.tsx";
import { useEffect, useRef } from "react";
import { useSite, type WebSite } from "../../siteContext.tsx";
import styles from "./contract.module.css";
import type { Sent } from "./notice.ts";

function rowsOf({ t, locale, client }: WebSite, { notice, at }: Sent): readonly (readonly [label: string, value: string])[] {
  const cancels = notice.kind === "cancel";
  return [
    [t("contract.done.at"), momentIn(locale, at, notice.timeZone)],
    [t("contract.done.number"), notice.id],
    [t("contract.done.what"), t(`contract.${notice.kind}.statement`)],
    ...(cancels
      ? ([
          [t("contract.cancel.kind"), t(notice.forCause ? "contract.cancel.extraordinary" : "contract.cancel.ordinary")],
          [
            t("contract.cancel.when"),
            notice.notBefore == null
              ? t("contract.cancel.soonest")
              : `${t("contract.cancel.later")}: ${formatsFor(locale).longDate(notice.notBefore)}`,
          ],
        ] as const)
      : []),
    ...(notice.reason ? ([[t("contract.cancel.reason"), notice.reason]] as const) : []),
    [t("contract.name"), notice.name],
    [t("contract.contract"), notice.contract],
    [t("contract.email"), notice.email],
    [t("imprint.provider"), client.brand],
  ];
}

/** Confirms the receipt of a statement, with its time. Visitors can save it. */
export function Receipt({ sent }: { readonly sent: Sent }) {
  const site = useSite();
  const { t, rich, locale } = site;
  const { notice, at } = sent;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const rows = rowsOf(site, sent);
  function save() {
    const text = [t(`contract.${notice.kind}.done`), "", ...rows.map(([label, value]) => `${label}: ${value}`)].join("\r\n");
    const url = URL.createObjectURL(new Blob([`\uFEFF${text}\r\n`], { type: "text/plain;charset=utf-8" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = `${notice.kind}-${at.slice(0, 10)}.txt`;
    link.click();
    URL.revokeObjectURL(url);
  }
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {t(`contract.${notice.kind}.done`)}
      </h1>
      <p className={styles["text"]}>{rich("contract.done.text", { AT: momentIn(locale, at, notice.timeZone), EMAIL: notice.email })}</p>
      <dl className={styles["rows"]}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{unbroken(value)}</dd>
          </div>
        ))}
      </dl>
      <Button kind="secondary" icon="download" onClick={save}>
        {t("contract.done.save")}
      </Button>
      <p className={styles["text"]}>{rich(`contract.${notice.kind}.next`)}</p>
    </>
  );
}

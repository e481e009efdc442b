/** A person's time line by month, the newest first. */
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { CreditCard, Mail, MonitorSmartphone, UserRound } from "lucide-react";
import type { Line } from "../contract/people.ts";
import { Button } from "../parts/Button.tsx";
import { Money, When } from "../parts/Formats.tsx";
import { Status } from "../parts/Signs.tsx";
import { useListKeys } from "../shell/keys.ts";
import styles from "./person.module.css";

const icons = { payments: CreditCard, mails: Mail, visits: MonitorSmartphone, account: UserRound };
const month = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

export function Lines({
  lines,
  onMail,
  onAgain,
}: {
  readonly lines: readonly Line[];
  readonly onMail: (id: string) => void;
  readonly onAgain: (line: Line) => void;
}) {
  const list = useRef<HTMLOListElement>(null);
  useListKeys(list);
  return (
    <ol className={styles["lines"]} ref={list} data-keys="">
      {lines.map((line, index) => {
        const Icon = icons[line.kind];
        const begins = month.format(line.at) !== month.format(lines[index - 1]?.at ?? 0);
        const { mail } = line;
        return (
          <li key={line.id}>
            {begins && <h3 className={styles["month"]}>{month.format(line.at)}</h3>}
            <div className={styles["line"]}>
              <span className="quiet">
                <When at={line.at} />
              </span>
              <span className={styles["icon"]}>
                <Icon size={14} aria-hidden="true" />
              </span>
              <div>
                <p className="strong">
                  {mail === null ? (
                    line.title
                  ) : (
                    <button type="button" className="link" data-row="" onClick={() => onMail(mail.id)}>
                      {line.title}
                    </button>
                  )}
                  {line.money !== null && (
                    <>
                      {" "}
                      <Money minor={line.money.minor} currency={line.money.currency} />
                    </>
                  )}
                </p>
                {line.says !== null && <p className="quiet small">{line.says}</p>}
                {line.reference !== null && <p className="quiet code">{line.reference}</p>}
              </div>
              <span className={styles["state"]}>
                {line.state !== null && <Status tone={line.state.tone}>{line.state.words}</Status>}
                {line.visit !== null && (
                  <Link className="link small" data-row="" to="/funnel/visits" search={line.visit}>
                    Watch
                  </Link>
                )}
                {mail?.again === true && (
                  <Button small kind="plain" onClick={() => onAgain(line)}>
                    Send again…
                  </Button>
                )}
              </span>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

import { Button } from "#ui/Button.tsx";
import { unbroken } from "#ui/richText.tsx";
import { useState } from "react";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View({ content, site }: BlockViewProps<Content>) {
  const [told, setTold] = useState<"sending" | "sent" | "failed" | null>(null);
  async function send() {
    setTold("sending");
    setTold((await site.mailPlan(content.question)) ? "sent" : "failed");
  }
  const email = { EMAIL: site.plain([["arg", "EMAIL"]]) };
  return (
    <div className={styles["plan"]}>
      {told !== "sent" && (
        <>
          <Button kind="secondary" icon="mail" busy={told === "sending"} onClick={() => void send()}>
            {site.t("block.planByMail.ask")}
          </Button>
          <p>{unbroken(site.t("block.planByMail.only", email))}</p>
        </>
      )}
      <p role="status" className={styles["told"]}>
        {told !== null && <span key={told}>{unbroken(site.t(`block.planByMail.${told}`, email))}</span>}
      </p>
    </div>
  );
}

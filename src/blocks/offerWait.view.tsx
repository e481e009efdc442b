/** The loader while products load, for every block that needs them. After a time limit it offers a retry. */
import { Button } from "#ui/Button.tsx";
import { useTimeout } from "#ui/motion.ts";
import { TypingBubble } from "#ui/TypingBubble.tsx";
import { useState } from "react";
import styles from "./offerWait.module.css";
import type { BlockSite } from "./view.ts";

/** Milliseconds after which the loader gives way to a retry (spec 001 §9). */
export const loaderLimit = 15_000;

export function OfferWait({ site }: { readonly site: BlockSite }) {
  const [late, setLate] = useState(false);
  const loading = site.offer.status === "loading" && !late;
  useTimeout(() => setLate(true), loading ? loaderLimit : null);
  return (
    <div className={styles["waiting"]} role="status">
      {loading ? (
        <>
          <TypingBubble />
          <p>{site.t("block.price.loading")}</p>
        </>
      ) : (
        <>
          <p>{site.t(late ? "block.price.late" : "block.price.failed")}</p>
          <Button
            kind="secondary"
            icon="refresh-cw"
            onClick={() => {
              setLate(false);
              site.offer.retry();
            }}
          >
            {site.t("block.price.retry")}
          </Button>
        </>
      )}
    </div>
  );
}

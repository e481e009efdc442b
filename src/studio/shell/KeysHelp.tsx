/** The help of keys (`?`). */
import { Button } from "../parts/Button.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { keyNames } from "./keys.ts";
import styles from "./KeysHelp.module.css";

export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" wide onClose={onClose}>
      <div className={styles["groups"]}>
        {keyNames.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl className={styles["keys"]}>
              {keys.map(([key, does]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="quiet small">No key does anything while you type in a field.</p>
      <div className="row">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

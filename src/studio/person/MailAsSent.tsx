import { useCall } from "../client.ts";
import { When } from "../parts/Formats.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { Facts } from "../parts/Panel.tsx";
import { Shown } from "../parts/State.tsx";
import styles from "./person.module.css";

/** A mail as the recipient sees it, with scripts and links disabled. */
export function MailAsSent({ uuid, mail, onClose }: { readonly uuid: string; readonly mail: string; readonly onClose: () => void }) {
  const asked = useCall("personMail", { uuid, mail });
  return (
    <Dialog title={asked.data?.subject ?? "Mail"} onClose={onClose} wide>
      <Shown of={asked}>
        {({ html, recipient, createdAt, sentAt, locale }) => (
          <div className="stack">
            <Facts
              rows={[
                ["To", recipient],
                ["Written", <When key="written" at={createdAt} />],
                ["Sent", <When key="sent" at={sentAt} />],
                ["Language", locale],
              ]}
            />
            <iframe title="The mail as it was sent" className={styles["mail"]} sandbox="" srcDoc={html} />
            <p className="quiet tiny">Links and codes are covered: with them one could open the account.</p>
          </div>
        )}
      </Shown>
    </Dialog>
  );
}

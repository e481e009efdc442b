/** Alarms: rules, channels and history. */
import { useState } from "react";
import { type Output, useAction, useCall } from "../client.ts";
import { Button } from "../parts/Button.tsx";
import { ConfirmDialog, Dialog } from "../parts/Dialog.tsx";
import { TextField } from "../parts/Field.tsx";
import { Notice, Status } from "../parts/Signs.tsx";
import { Shown } from "../parts/State.tsx";
import { useMay } from "../shell/operator.ts";
import { AlertHistory } from "./AlertHistory.tsx";
import styles from "./operations.module.css";

type Settings = Output<"alertSettings">;
type Rule = Settings["rules"][number];

export function Alerts({ onClose }: { readonly onClose: () => void }) {
  const settings = useCall("alertSettings", {});
  return (
    <Dialog title="Alarms" wide onClose={onClose}>
      <Shown of={settings}>
        {(found) => (
          <div className={styles["alarms"]}>
            <section>
              <h3>What happened</h3>
              <AlertHistory alerts={found.alerts} now={settings.dataUpdatedAt} />
            </section>
            <section>
              <h3>Rules</h3>
              <Rules rules={found.rules} />
            </section>
            <section>
              <h3>Told by</h3>
              <Channels key={`${found.mail} ${found.webhook}`} settings={found} />
            </section>
          </div>
        )}
      </Shown>
      <div className="row">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

const sentenceOf = ({ sentence, threshold }: Rule) => sentence.replace("{n}", String(threshold));

function Rules({ rules }: { readonly rules: readonly Rule[] }) {
  const [setting, setSetting] = useState<Rule | null>(null);
  const may = useMay("admin");
  return (
    <>
      <ul className={styles["rules"]}>
        {rules.map((rule) => (
          <li key={rule.name}>
            <div>
              <p className="strong">{rule.title}</p>
              <p className="small quiet">{sentenceOf(rule)}</p>
            </div>
            <Status tone={rule.active ? "good" : "none"}>{rule.active ? "Watched" : "Off"}</Status>
            {may && (
              <Button small onClick={() => setSetting(rule)} aria-label={`Set ${rule.title}`}>
                Set
              </Button>
            )}
          </li>
        ))}
      </ul>
      {setting !== null && <SetRule rule={setting} onClose={() => setSetting(null)} />}
    </>
  );
}

function SetRule({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }) {
  const [active, setActive] = useState(rule.active);
  const [threshold, setThreshold] = useState(String(rule.threshold));
  const set = useAction("alertRuleSet", { onDone: onClose });
  return (
    <ConfirmDialog
      title={`Set “${rule.title}”?`}
      consequences={[rule.sentence.replace("{n}", threshold), `The default is ${rule.usual}.`]}
      verb="Set"
      keep="Cancel"
      danger={false}
      busy={set.isPending}
      problem={set.error?.message ?? null}
      onDo={(reason) => set.mutate({ name: rule.name, active, threshold: Number(threshold), reason })}
      onClose={onClose}
    >
      <TextField
        label="Threshold"
        type="number"
        min={0}
        step={1}
        required
        value={threshold}
        onChange={({ target }) => setThreshold(target.value)}
      />
      <label className="row">
        <input type="checkbox" checked={active} onChange={({ target }) => setActive(target.checked)} />
        Watched
      </label>
    </ConfirmDialog>
  );
}

function Channels({ settings }: { readonly settings: Settings }) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <div className="stack">
      <Channel name="mail" label="Mail to" type="email" target={settings.mail} onSecret={() => undefined} />
      <Channel name="webhook" label="Webhook to" type="url" target={settings.webhook} onSecret={setSecret} />
      {secret !== null && (
        <Notice tone="care" title="This key signs the webhooks. It is shown only once.">
          <p className="code">{secret}</p>
        </Notice>
      )}
      <p className="quiet small">
        Both are told when something begins and when it is over, once each. A webhook’s header parlando-signature is the time and the
        HMAC-SHA256 of “time.body” with this key.
      </p>
    </div>
  );
}

function Channel({
  name,
  label,
  type,
  target,
  onSecret,
}: {
  readonly name: "mail" | "webhook";
  readonly label: string;
  readonly type: "email" | "url";
  readonly target: string | null;
  readonly onSecret: (secret: string | null) => void;
}) {
  const [value, setValue] = useState(target ?? "");
  const set = useAction("alertChannelSet", { onDone: ({ secret }) => onSecret(secret) });
  const may = useMay("admin");
  return (
    <form
      className={styles["channel"]}
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate({ name, target: value });
      }}
    >
      <TextField
        label={label}
        type={type}
        value={value}
        disabled={!may}
        placeholder="nobody"
        problem={set.error?.message}
        onChange={(event) => setValue(event.target.value)}
      />
      {may && (
        <Button type="submit" busy={set.isPending} disabled={value === (target ?? "")}>
          Save
        </Button>
      )}
    </form>
  );
}

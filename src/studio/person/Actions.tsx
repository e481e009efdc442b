/** An operator's actions for a person. Each has a dialog that names the person, the sum and the consequences, and asks for a reason. */
import * as codes from "#core/errorCodes.ts";
import { maxGrantedDays } from "#core/products.ts";
import { useState } from "react";
import { call, useAction, StudioError } from "../client.ts";
import type { Line, PersonPage } from "../contract/people.ts";
import { Button } from "../parts/Button.tsx";
import { ConfirmDialog } from "../parts/Dialog.tsx";
import { TextField } from "../parts/Field.tsx";
import { inWords } from "../parts/formats.ts";
import { Section } from "../parts/Panel.tsx";
import { useCommands } from "../shell/commands.ts";
import styles from "./person.module.css";
import { Refund } from "./Refund.tsx";

type Asked = "link" | "sessions" | "refund" | "pause" | "resume" | "cancel" | "keep" | "days" | "address" | "export" | "erase";
interface DialogProps {
  readonly person: PersonPage;
  readonly onClose: () => void;
}

export const nameOf = ({ account }: PersonPage): string => account.firstname ?? account.email;
const day = (at: number | null) => (at === null ? "an unknown day" : inWords.dayAndYear(at));

function SendLink({ person, onClose }: DialogProps) {
  const { mutate, isPending, error } = useAction("loginLinkSend", { onDone: onClose });
  const { uuid, email, locale } = person.account;
  return (
    <ConfirmDialog
      title={`Send ${nameOf(person)} a link to log in?`}
      consequences={[`The link goes to ${email}, in ${locale}`, "It works once, for an hour; you never see it"]}
      verb="Send the link"
      danger={false}
      busy={isPending}
      problem={error?.message ?? null}
      onDo={(reason) => mutate({ uuid, reason })}
      onClose={onClose}
    />
  );
}

function EndSessions({ person, onClose }: DialogProps) {
  const { mutate, isPending, error } = useAction("sessionsEnd", { onDone: onClose });
  return (
    <ConfirmDialog
      title={`Log ${nameOf(person)} out everywhere?`}
      consequences={["Every device has to log in again, by link or password", "Their plan, answers and progress stay"]}
      verb="Log out"
      busy={isPending}
      problem={error?.message ?? null}
      onDo={(reason) => mutate({ uuid: person.account.uuid, reason })}
      onClose={onClose}
    />
  );
}

export function SendAgain({ person, line, onClose }: DialogProps & { readonly line: Line }) {
  const { mutate, isPending, error } = useAction("mailResend", { onDone: onClose });
  const { uuid, email } = person.account;
  return (
    <ConfirmDialog
      title={`Send ${nameOf(person)} this mail again?`}
      consequences={[line.title, `It goes to ${email}`, "Its link is replaced by a new one"]}
      verb="Send again"
      danger={false}
      busy={isPending}
      problem={error?.message ?? null}
      onDo={(reason) => line.mail !== null && mutate({ uuid, mail: line.mail.id, reason })}
      onClose={onClose}
    />
  );
}

const planWords = {
  pause: ["Pause", "The plan pauses at the end of the paid period; nothing is charged until it is resumed"],
  resume: ["Resume", "The provider charges the next period now"],
  cancel: ["Cancel", "Nothing more is charged"],
  keep: ["Keep", "The requested change is withdrawn: the plan goes on and is charged as before"],
} as const;

function ChangePlan({ person, action, onClose }: DialogProps & { readonly action: keyof typeof planWords }) {
  const { mutate, isPending, error } = useAction("planChange", { onDone: onClose });
  const { account, plan, entitlement } = person;
  const [verb, follows] = planWords[action];
  const price = plan === null ? "" : ` (${inWords.money(plan.price, plan.currency)} for ${inWords.plan(plan.productPlan)})`;
  return (
    <ConfirmDialog
      title={`${verb} the plan of ${nameOf(person)}?`}
      consequences={[
        `${follows}${action === "cancel" ? `; access stays until ${day(entitlement.end)}` : ""}${price}`,
        `${account.email} gets a mail about it`,
      ]}
      verb={`${verb} the plan`}
      keep="Leave it"
      danger={action === "cancel"}
      busy={isPending}
      problem={error?.message ?? null}
      onDo={(reason) => mutate({ uuid: account.uuid, action, reason })}
      onClose={onClose}
    />
  );
}

function GiveDays({ person, onClose }: DialogProps) {
  const { mutate, isPending, error } = useAction("daysGive", { onDone: onClose });
  const [days, setDays] = useState("7");
  const [id] = useState(() => crypto.randomUUID());
  const { end, usable } = person.entitlement;
  return (
    <ConfirmDialog
      title={`Give ${nameOf(person)} days?`}
      consequences={[
        usable ? `Access ends ${day(end)} now; the days are added after it` : "Access has ended; the days begin now",
        "They are free; the dates of charges stay the same",
      ]}
      verb="Give the days"
      danger={false}
      busy={isPending}
      problem={
        error?.fields["days"] === "too many" ? `A person can be given at most ${maxGrantedDays} days a year.` : (error?.message ?? null)
      }
      onDo={(reason) => mutate({ uuid: person.account.uuid, days: Number(days), id, reason })}
      onClose={onClose}
    >
      <TextField
        label="Days"
        type="number"
        min={1}
        max={maxGrantedDays}
        required
        value={days}
        onChange={({ target }) => setDays(target.value)}
      />
    </ConfirmDialog>
  );
}

function CorrectAddress({ person, onClose }: DialogProps) {
  const { mutate, isPending, error } = useAction("addressCorrect", { onDone: onClose });
  const [email, setEmail] = useState("");
  const { uuid, email: now, addressStays } = person.account;
  return (
    <ConfirmDialog
      title={`Correct the address of ${nameOf(person)}?`}
      consequences={
        addressStays
          ? [`${now} stays until the new address is confirmed`, `${now} gets a mail with a link that undoes it for seven days`]
          : [
              `${now} was never confirmed: the new address counts at once`,
              "Their sessions end; a mail asks them to confirm the new address",
            ]
      }
      verb="Correct the address"
      busy={isPending}
      problem={
        error === null
          ? null
          : error.code === codes.emailTaken
            ? "Another account has this address, or had it until recently."
            : error.message
      }
      onDo={(reason) => mutate({ uuid, email, reason })}
      onClose={onClose}
    >
      <TextField
        label="New address"
        type="email"
        autoComplete="off"
        required
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
    </ConfirmDialog>
  );
}

function Export({ person, onClose }: DialogProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { uuid } = person.account;
  const save = async (reason: string) => {
    setBusy(true);
    try {
      const all = await call("personExport", { uuid, reason });
      const url = URL.createObjectURL(new Blob([JSON.stringify(all, null, 2)], { type: "application/json" }));
      const link = document.createElement("a");
      link.href = url;
      link.download = `person-${uuid}.json`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 0);
      onClose();
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      setProblem(error.message);
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      title={`Export everything about ${nameOf(person)}?`}
      consequences={["All data stored about them, as one JSON file: the same as their own export", "Send it only to them"]}
      verb="Export"
      danger={false}
      busy={busy}
      problem={problem}
      onDo={(reason) => void save(reason)}
      onClose={onClose}
    />
  );
}

function Erase({ person, onClose, onErased }: DialogProps & { readonly onErased: () => void }) {
  const { mutate, isPending, error } = useAction("personErase", { onDone: onErased });
  const [typed, setTyped] = useState("");
  const { uuid, email } = person.account;
  const right = typed.trim().toLowerCase() === email;
  return (
    <ConfirmDialog
      title={`Erase ${nameOf(person)}?`}
      consequences={[
        "The account, answers, mails and visits lose their name and address; orders stay for bookkeeping, without a name",
        person.plan === null || person.plan.subscription === null
          ? "There is no subscription to end"
          : "Their subscription ends now; nothing is refunded",
        "This cannot be undone",
      ]}
      verb="Erase"
      busy={isPending}
      problem={error?.message ?? null}
      onDo={(reason) => right && mutate({ uuid, email: typed, reason })}
      onClose={onClose}
    >
      <TextField
        label={`Type ${email}`}
        autoComplete="off"
        value={typed}
        {...(typed !== "" && !right ? { problem: "This is not their address." } : {})}
        onChange={({ target }) => setTyped(target.value)}
      />
    </ConfirmDialog>
  );
}

interface Offer {
  readonly asked: Asked;
  readonly title: string;
  readonly says: string;
  readonly danger?: boolean;
}

function offersTo({ account, payments, plan, entitlement }: PersonPage): readonly Offer[] {
  const left = payments.filter((payment) => payment.left > 0);
  const may = new Set(plan?.actions ?? []);
  const most = left[0];
  return [
    { asked: "link", title: "Send login link", says: `To ${account.email}` },
    { asked: "sessions", title: "End all sessions", says: "They have to log in again on every device", danger: true },
    ...(most === undefined
      ? []
      : [
          {
            asked: "refund",
            title: "Refund",
            says: `Up to ${inWords.money(most.left, most.currency)} of the last payment`,
            danger: true,
          } as const,
        ]),
    ...(may.has("pause") ? [{ asked: "pause", title: "Pause", says: "From the end of the paid period" } as const] : []),
    ...(may.has("resume") ? [{ asked: "resume", title: "Resume", says: "Charges the next period now" } as const] : []),
    ...(may.has("keep") ? [{ asked: "keep", title: "Keep", says: "Withdraws the requested change" } as const] : []),
    ...(may.has("cancel")
      ? [
          {
            asked: "cancel",
            title: "Cancel",
            says: entitlement.usable ? `Access stays until ${day(entitlement.end)}` : "Access has ended; nothing more is charged",
            danger: true,
          } as const,
        ]
      : []),
    ...(entitlement.status === null || entitlement.status === "paused"
      ? []
      : [{ asked: "days", title: "Give days", says: "After the paid period" } as const]),
    {
      asked: "address",
      title: "Correct the address",
      says: account.addressStays ? "Only by an admin; valid once it is confirmed" : "Valid at once",
    },
    { asked: "export", title: "Export", says: "Everything stored about them, as JSON" },
    { asked: "erase", title: "Erase", says: "Deletes personal data; visits and payments stay in the counts", danger: true },
  ];
}

export function Actions({ person, onErased }: { readonly person: PersonPage; readonly onErased: () => void }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const offers = offersTo(person);
  useCommands(
    offers.map((offer) => ({ id: `person ${offer.asked}`, title: `${offer.title}: ${nameOf(person)}`, run: () => setAsked(offer.asked) })),
  );
  return (
    <Section anchor="actions" title="Actions">
      {offers.map(({ asked: what, title, says, danger = false }) => (
        <div key={what} className={styles["doing"]}>
          <div>
            <p className="strong">{title}</p>
            <p className="quiet small">{says}</p>
          </div>
          <Button kind={danger ? "danger" : "usual"} aria-label={`${title}…`} onClick={() => setAsked(what)}>
            {`${title.split(" ")[0]}…`}
          </Button>
        </div>
      ))}
      {asked === "link" && <SendLink person={person} onClose={close} />}
      {asked === "sessions" && <EndSessions person={person} onClose={close} />}
      {asked === "refund" && <Refund person={person} onClose={close} />}
      {(asked === "pause" || asked === "resume" || asked === "cancel" || asked === "keep") && (
        <ChangePlan person={person} action={asked} onClose={close} />
      )}
      {asked === "days" && <GiveDays person={person} onClose={close} />}
      {asked === "address" && <CorrectAddress person={person} onClose={close} />}
      {asked === "export" && <Export person={person} onClose={close} />}
      {asked === "erase" && <Erase person={person} onClose={close} onErased={onErased} />}
    </Section>
  );
}

import { suggestEmail } from "#core/emailSuggestion.ts";
import { useState } from "react";
import { Button } from "./Button.tsx";
import { classes } from "./classes.ts";
import styles from "./EmailSuggestion.module.css";

/** A likely typo in an address is pointed out but accepted, because the address may be right. Enter stops once to show it. */
export function useEmailSuggestion(email: string): {
  readonly meant: string | null;
  readonly stopped: boolean;
  /** Calls `goOn`, unless Enter stops here. */
  readonly enter: (goOn: () => void) => void;
} {
  const meant = suggestEmail(email);
  /** The address at which Enter stopped. A second Enter accepts the address. */
  const [stoppedAt, setStoppedAt] = useState<string | null>(null);
  const stopped = stoppedAt === email;
  return { meant, stopped, enter: (goOn) => (meant === null || stopped ? goOn() : setStoppedAt(email)) };
}

interface EmailSuggestionProps {
  readonly meant: string | null;
  readonly stopped: boolean;
  /** Did you mean this address? */
  readonly ask: (meant: string) => string;
  /** How to go on with the typed address. */
  readonly keep: string;
  readonly onTake: (meant: string) => void;
}

export function EmailSuggestion({ meant, stopped, ask, keep, onTake }: EmailSuggestionProps) {
  return (
    <div aria-live="polite" className={classes(styles["suggestion"], meant !== null && stopped && styles["stopped"])}>
      {meant !== null && (
        <Button kind={stopped ? "secondary" : "link"} onClick={() => onTake(meant)}>
          {ask(meant)}
        </Button>
      )}
      {meant !== null && stopped && <p>{keep}</p>}
    </div>
  );
}

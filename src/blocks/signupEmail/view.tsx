import { suggestEmail } from "#core/emailSuggestion.ts";
import { emailMaxLength } from "#core/validation.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/Field.tsx";
import { useState } from "react";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View({ content, id, site }: BlockViewProps<Content>) {
  const { fields, setField, errors, onBlur, onEnter } = site.signup;
  // A likely typo is pointed out but accepted, because the address may be right.
  const meant = suggestEmail(fields.email);
  /** The address at which Enter stopped to show the suggestion. A second Enter accepts the address. */
  const [stoppedAt, setStoppedAt] = useState<string | null>(null);
  const stopped = stoppedAt === fields.email;
  return (
    <Field
      id={id}
      name="email"
      type="email"
      label={site.say(content.label)}
      placeholder={content.placeholder && site.plain(content.placeholder)}
      hint={content.hint && site.say(content.hint)}
      error={errors.email}
      value={fields.email}
      onChange={(value) => setField("email", value)}
      onBlur={() => onBlur("email")}
      onEnter={() => (meant === null || stopped ? onEnter() : setStoppedAt(fields.email))}
      maxLength={emailMaxLength}
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      enterKeyHint="next"
      spellCheck={false}
    >
      <div aria-live="polite" className={styles["suggestion"]}>
        {meant !== null && (
          <Button kind={stopped ? "secondary" : "link"} onClick={() => setField("email", meant)}>
            {site.t("block.signupEmail.suggestion", { EMAIL: meant })}
          </Button>
        )}
        {meant !== null && stopped && <p>{site.t("block.signupEmail.keep")}</p>}
      </div>
    </Field>
  );
}

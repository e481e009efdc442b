import { emailMaxLength } from "#core/validation.ts";
import { EmailSuggestion, useEmailSuggestion } from "#ui/EmailSuggestion.tsx";
import { Field } from "#ui/Field.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";

export function View({ content, id, site }: BlockViewProps<Content>) {
  const { fields, setField, errors, onBlur, onEnter } = site.signup;
  const { meant, stopped, enter } = useEmailSuggestion(fields.email);
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
      onEnter={() => enter(onEnter)}
      maxLength={emailMaxLength}
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      enterKeyHint="next"
      spellCheck={false}
    >
      <EmailSuggestion
        meant={meant}
        stopped={stopped}
        ask={(EMAIL) => site.t("block.signupEmail.suggestion", { EMAIL })}
        keep={site.t("block.signupEmail.keep")}
        onTake={(address) => setField("email", address)}
      />
    </Field>
  );
}

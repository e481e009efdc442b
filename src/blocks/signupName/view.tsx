import { firstnameMaxLength } from "#core/validation.ts";
import { Field } from "#ui/Field.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";

export function View({ content, id, site }: BlockViewProps<Content>) {
  const { fields, setField, errors, onBlur, onEnter } = site.signup;
  return (
    <Field
      id={id}
      name="firstname"
      label={site.say(content.label)}
      hint={content.hint && site.say(content.hint)}
      error={errors.firstname}
      value={fields.firstname}
      onChange={(value) => setField("firstname", value)}
      onBlur={() => onBlur("firstname")}
      onEnter={onEnter}
      maxLength={firstnameMaxLength}
      autoComplete="given-name"
      autoCapitalize="words"
      enterKeyHint="next"
      spellCheck={false}
    />
  );
}

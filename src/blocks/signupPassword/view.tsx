import { Field } from "#ui/Field.tsx";
import { Sentence } from "#ui/Sentence.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

export function View({ content, id, site }: BlockViewProps<Content>) {
  const { fields, setField, errors, onBlur, onEnter } = site.signup;
  // Opens a new tab, so that typed input is kept.
  const link = (href: string, text: string) => (
    <a href={href} target="_blank" rel="noopener">
      {site.t(text)}
    </a>
  );
  const terms = link(site.legalLinks.terms, "block.signupPassword.terms");
  const privacy = link(site.legalLinks.privacy, "block.signupPassword.privacy");
  return (
    <div className={styles["password"]}>
      <Field
        id={id}
        name="password"
        type="password"
        label={site.say(content.label)}
        // The error contains the hint, so the hint is hidden.
        hint={errors.password === undefined && content.hint ? site.say(content.hint) : undefined}
        error={errors.password}
        value={fields.password}
        onChange={(value) => setField("password", value)}
        onBlur={() => onBlur("password")}
        onEnter={onEnter}
        toggle={{ show: site.t("block.signupPassword.show"), hide: site.t("block.signupPassword.hide") }}
        autoComplete="new-password"
        autoCapitalize="none"
        enterKeyHint="go"
        spellCheck={false}
      />
      <div className={styles["consent"]}>
        {content.consent === undefined ? (
          <p>
            <Sentence fill={(standIns) => site.t("block.signupPassword.consent", standIns)} parts={{ TERMS: terms, PRIVACY: privacy }} />
          </p>
        ) : (
          <>
            <p>{site.say(content.consent)}</p>
            <p className={styles["links"]}>
              {terms} {privacy}
            </p>
          </>
        )}
      </div>
    </div>
  );
}

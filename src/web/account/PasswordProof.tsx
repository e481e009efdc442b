import { Field } from "#ui/Field.tsx";
import { useEffect, useId } from "react";
import { useSite } from "../siteContext.tsx";

interface PasswordProofProps {
  readonly hint: string;
  readonly value: string;
  readonly onChange: (password: string) => void;
  readonly error: string | undefined;
}

/** The account's password, as proof that it is its owner who asks. Takes the focus when it appears, because it replaces the pressed button. */
export function PasswordProof(props: PasswordProofProps) {
  const { t, say } = useSite();
  const id = useId();
  useEffect(() => document.getElementById(id)?.focus(), [id]);
  return (
    <div>
      <Field
        {...props}
        id={id}
        label={t("page.account.erase.password")}
        type="password"
        autoComplete="current-password"
        toggle={{ show: say("block.signupPassword.show"), hide: say("block.signupPassword.hide") }}
      />
    </div>
  );
}

/** Asks for confirmation before a new plan replaces the old one (spec 001 §2, "Other screens": yes and no). */
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useKeptDiscount } from "../../../account/keptDiscount.ts";
import { goToPath, questionPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSite } from "../../../siteContext.tsx";
import { keepOld, startAnew } from "../reactivate-or-new/startAnew.ts";

function View() {
  const site = useSite();
  const { t, locale, session } = site;
  const keptDiscount = useKeptDiscount();
  const version = session.compiled.definition.id;
  return (
    <Scene
      route="questionnaire/new-confirm"
      figure="think"
      title={t("page.new-confirm.title")}
      text={t("page.new-confirm.text")}
      action={
        <>
          <Button arrow onClick={() => goToPath(questionPath(locale, version, startAnew(site)), { locale, version })}>
            {t("page.new-confirm.yes")}
          </Button>
          <Button
            kind="link"
            href={buildPath("questionnaire/reactivate-or-new", locale, { version }) + keptDiscount}
            onClick={() => keepOld(site)}
          >
            {t("page.new-confirm.no")}
          </Button>
        </>
      }
    />
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/new-confirm.title"),
  description: ({ t }) => t("meta.questionnaire/new-confirm.description"),
  View,
};

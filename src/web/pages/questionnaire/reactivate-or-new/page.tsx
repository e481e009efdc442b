/** A plan that has ended: go on with it, or begin anew (spec 001 §4, "Reactivate-or-new"). */
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { goToPath, questionPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";
import { startAnew } from "./startAnew.ts";

function View() {
  const site = useSite();
  const { t, locale, session } = site;
  const { state } = useSession();
  const version = session.compiled.definition.id;
  const here = { locale, version };
  /** With answers of this questionnaire the new plan begins at once; without any it is asked whether that is meant. */
  const begin = () => {
    if (state.id !== version || state.selectedOptions.length === 0)
      return goToPath(buildPath("questionnaire/new-confirm", locale, { version }), here);
    goToPath(questionPath(locale, version, startAnew(site)), here);
  };
  return (
    <Scene
      route="questionnaire/reactivate-or-new"
      questionId={1007}
      figure="think"
      title={t("page.reactivate-or-new.title")}
      text={t("page.reactivate-or-new.text")}
      action={
        <>
          <Button arrow href={buildPath("questionnaire/reactivate", locale, { version })}>
            {t("page.reactivate-or-new.go")}
          </Button>
          <Button kind="link" onClick={begin}>
            {t("page.reactivate-or-new.new")}
          </Button>
        </>
      }
    />
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/reactivate-or-new.title"),
  description: ({ t }) => t("meta.questionnaire/reactivate-or-new.description"),
  View,
};

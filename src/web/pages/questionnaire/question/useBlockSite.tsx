import type { BlockSite } from "#blocks/view.ts";
import { pictures } from "#content/media/manifest.ts";
import { traitsOf } from "#content/questionnaires/traits.ts";
import { localeTraits } from "#core/locales.ts";
import { scheduleOf } from "#core/questionnaire/compile.ts";
import type { Question } from "#core/questionnaire/definition.ts";
import { targetLevel, userLevel } from "#core/questionnaire/level.ts";
import { placeholderValues } from "#core/questionnaire/placeholders.ts";
import { schedulePlan } from "#core/questionnaire/schedule.ts";
import { buildPath } from "#core/routes.ts";
import { fillText, plainText, type TextValues } from "#core/text.ts";
import { richText } from "#ui/richText.tsx";
import { useSyncExternalStore } from "react";
import { useSession, useSite } from "../../../siteContext.tsx";

interface BlockSiteParts {
  readonly question: Question;
  readonly submit: () => void;
  /** The content with this key has come to its end. */
  readonly onDone: (key: string) => void;
}

/** Everything blocks can ask of the page, and what the page itself fills its texts with. */
export function useBlockSite({
  question,
  submit,
  onDone,
}: BlockSiteParts): BlockSite & { readonly values: TextValues; readonly intl: string; readonly onDoneOf: (key: string) => void } {
  const { locale, say: uiText, formats, session, services, client } = useSite();
  const { state, context, fields, errors, live } = useSession();
  const offer = useSyncExternalStore(services.offer.subscribe, services.offer.snapshot, services.offer.snapshot);
  const checkout = useSyncExternalStore(services.checkout.subscribe, services.checkout.snapshot, services.checkout.snapshot);
  const { compiled } = session;
  const intl = localeTraits[locale].intl;
  const values = placeholderValues({ compiled, state, context, formats, product: offer.selected });
  const schedule = scheduleOf(compiled, state.schedule);
  const plan = schedule === undefined ? null : schedulePlan(schedule);

  return {
    values,
    intl,
    t: uiText,
    say: (text, more) => richText(fillText(text, more ? { ...values, ...more } : values, intl)),
    plain: (text, more) => plainText(text, more ? { ...values, ...more } : values, intl),
    formats,
    picture: (name) => pictures[name] ?? null,
    schedules: compiled.definition.schedules,
    level: { initial: userLevel(compiled, state), target: targetLevel(compiled, state, context) },
    weeklyMinutes: plan && {
      app: plan.minutesOnApp,
      lessons: plan.minutesOnLessons,
      recordedLessons: plan.minutesOnRecordedLessons,
      interactiveExercises: plan.minutesOnInteractiveExercises,
    },
    onDone: () => {},
    onDoneOf: onDone,
    submit,
    chooseSchedule: (scheduleId) => session.dispatch({ type: "chooseSchedule", scheduleId }),
    chooseDays: (days) => session.dispatch({ type: "chooseDays", days }),
    toggleListItem: (list, item) => session.dispatch({ type: "toggleListItem", list, item }),
    signup: {
      fields,
      setField: session.setField,
      errors: Object.fromEntries(Object.entries(errors).map(([field, key]) => [field, uiText(key)])),
      onBlur: session.blurField,
      onEnter: submit,
    },
    offer: { ...offer, configurationOf: services.offer.configurationOf, select: services.offer.select, retry: services.offer.retry },
    checkout: {
      ...checkout,
      open: services.checkout.open,
      close: services.checkout.close,
      openHosted: services.checkout.openHosted,
      mailLink: services.checkout.mailLink,
    },
    avatarVariant: traitsOf(compiled.definition.id).avatarVariant,
    appStoreLinks: client.storeLinks,
    legalLinks: { terms: buildPath("legal/terms-and-conditions", locale), privacy: buildPath("legal/privacy", locale) },
    track: (event, payload) =>
      services.track({ eventType: event, payload: event === "ChatbotOpen" ? { questionId: question.id } : (payload ?? {}) }),
    live,
  };
}

import type { BlockSite, Offer } from "#blocks/view.ts";
import { pictures } from "#content/media/manifest.ts";
import { traitsOf } from "#content/questionnaires/known.ts";
import { localeTraits } from "#core/locales.ts";
import { buildPath } from "#core/routes.ts";
import { fillText, plainText, type TextValues } from "#core/text.ts";
import { richText } from "#ui/richText.tsx";
import { useSyncExternalStore } from "react";
import type { Payment } from "../../../payment/lazyPayment.ts";
import { localTimeZone } from "../../../device/device.ts";
import { useSession, useSite } from "../../../siteContext.tsx";
import { laterSite } from "./blocks.tsx";

interface BlockSiteParts {
  readonly questionId: number;
  readonly submit: () => void;
  /** Called when the content with this key has ended. */
  readonly onDone: (key: string) => void;
  /** Offer and checkout; by default the questionnaire's. */
  readonly payment?: Payment;
  readonly configurationOf?: Offer["configurationOf"];
}

/** The interface that the page gives to its blocks, and the values for its own texts. */
export function useBlockSite({
  questionId,
  submit,
  onDone,
  payment,
  configurationOf,
}: BlockSiteParts): BlockSite & { readonly values: TextValues; readonly intl: string; readonly onDoneOf: (key: string) => void } {
  const { locale, say: uiText, session, services, client } = useSite();
  const { state, context, fields, errors, live } = useSession();
  const paying = payment ?? services;
  const offer = useSyncExternalStore(paying.offer.subscribe, paying.offer.snapshot, paying.offer.snapshot);
  const checkout = useSyncExternalStore(paying.checkout.subscribe, paying.checkout.snapshot, paying.checkout.snapshot);
  const { compiled } = session;
  const intl = localeTraits[locale].intl;
  const { values, formats, plan } = laterSite({ compiled, state, context, product: offer.selected, store: live ? services.store : null });

  return {
    values,
    intl,
    t: uiText,
    say: (text, more) => richText(fillText(text, more ? { ...values, ...more } : values, intl)),
    plain: (text, more) => plainText(text, more ? { ...values, ...more } : values, intl),
    formats,
    picture: (name) => pictures[name] ?? null,
    schedules: compiled.definition.schedules,
    levels: compiled.definition.levels,
    plan,
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
    offer: {
      ...offer,
      configurationOf: configurationOf ?? paying.offer.configurationOf,
      termsOf: paying.offer.termsOf,
      select: paying.offer.select,
      retry: paying.offer.retry,
      applyCoupon: paying.offer.applyCoupon,
    },
    checkout: {
      ...checkout,
      open: paying.checkout.open,
      close: paying.checkout.close,
      openHosted: paying.checkout.openHosted,
      mailLink: paying.checkout.mailLink,
    },
    mailPlan: async (question) => {
      try {
        await services.api.call("planMail", {
          body: { language: locale, questionnaire: compiled.definition.id, question: String(question), timeZone: localTimeZone() },
        });
        return true;
      } catch {
        // The block shows the failure. The API client has reported the call.
        return false;
      }
    },
    avatarVariant: traitsOf(compiled.definition.id).avatarVariant,
    appStoreLinks: client.storeLinks,
    legalLinks: { terms: buildPath("legal/terms-and-conditions", locale), privacy: buildPath("legal/privacy", locale) },
    track: (event, payload) => services.track({ eventType: event, payload: event === "ChatbotOpen" ? { questionId } : (payload ?? {}) }),
    live,
  };
}

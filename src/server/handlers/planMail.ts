import { uiTexts } from "#content/texts/ui.ts";
import { formatsFor } from "#core/formats.ts";
import { type Locale, localeTraits } from "#core/locales.ts";
import { dayIn, isTimeZone } from "#core/questionnaire/calendar.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import { planOf } from "#core/questionnaire/plan.ts";
import { mergeState } from "#core/questionnaire/saved.ts";
import { parseSavedState } from "#core/questionnaire/storedState.ts";
import type { State } from "#core/questionnaire/state.ts";
import { plainText } from "#core/text.ts";
import { createHash } from "node:crypto";
import { queueMail } from "../mail/outbox.ts";
import { lockUnlessErased } from "../store/lockAccounts.ts";
import { countRequestedMail } from "./shared/requestedMail.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";
import type { MailData } from "../mail/contents.ts";
import { compiledOf } from "../base/compiled.ts";

/** Mails the visitor the study plan they agreed to, once per request, with a link back to the offer. */
export const planMail: Handler<"planMail"> = async (
  { body, actor: { accountUuid } },
  { store, world, limits, mail, questionnaires, releases },
) => {
  const limited = await limits.take("plan-mail.account", accountUuid);
  if (limited !== null) return limited;
  const account = await store.read
    .selectFrom("accounts")
    .leftJoin("questionnaire_states", "questionnaire_states.account_uuid", "accounts.uuid")
    .select(["accounts.email", "accounts.email_confirmed_at", "accounts.firstname", "questionnaire_states.state"])
    .where("accounts.uuid", "=", accountUuid)
    .executeTakeFirst();
  if (account === undefined) return refuse("invalidAccessToken");
  const tooManyMails = await countRequestedMail({ limits }, account);
  if (tooManyMails !== null) return tooManyMails;
  const saved = account.state === null ? null : parseSavedState(JSON.parse(account.state));
  const { list, weekday } = formatsFor(body.language);
  const zone = body.timeZone !== undefined && isTimeZone(body.timeZone) ? body.timeZone : "UTC";
  const known = saved !== null && questionnaires.versions.includes(saved.id);
  const plan =
    known &&
    agreedPlan({
      compiled: compiledOf(await releases.questionnaireFor(saved, body.language)),
      saved,
      locale: body.language,
      today: dayIn(world.now(), zone),
      calendarId: createHash("sha256").update(`plan ${accountUuid}`).digest("hex").slice(0, 32),
    });
  await store.write(async (queries) => {
    if (!(await lockUnlessErased(queries, accountUuid))) return;
    await queueMail(queries, world, {
      accountUuid,
      template: "planKept",
      locale: body.language,
      recipient: account.email,
      data: {
        firstname: account.firstname,
        version: body.questionnaire,
        question: body.question,
        days: saved === null || saved.days.length === 0 ? null : list(saved.days.map((day) => weekday(day, "long"))),
        minutes: saved?.studySchedule?.minutesPerSession ?? null,
        until: saved?.programEndDate ?? null,
        ...(plan && { plan }),
      },
    });
  });
  mail.wake();
  return {};
};

interface Agreed {
  readonly compiled: CompiledQuestionnaire;
  readonly saved: State;
  readonly locale: Locale;
  readonly today: string;
  readonly calendarId: string;
}

/** The plan as the screens show it. Null before a pace was chosen. */
function agreedPlan({ compiled, saved, locale, today, calendarId }: Agreed): MailData<"planKept">["plan"] | null {
  const state = mergeState(compiled, saved);
  // No figure of a plan depends on country or device.
  const context = { locale, country: "ZZ", platform: "other", requiresMarketingConsent: false, today } as const;
  const plan = planOf({ compiled, state, context });
  const { programEndDate: end } = saved;
  if (plan.pace === null || end === undefined) return null;
  const texts = uiTexts(locale);
  const { intl } = localeTraits[locale];
  const { levels } = compiled.definition;
  return {
    hours: plan.hours,
    months: plan.pace.months,
    chart: {
      from: plainText(levels[plan.initial].name, {}, intl),
      to: plainText(plan.target === null ? texts["block.programPromise.beyond"] : levels[plan.target].name, {}, intl),
      stages: plan.stages,
      stage: plainText(texts["block.programPromise.stage"], { STAGES: plan.stages }, intl),
      end: formatsFor(locale).monthAndYear(end),
    },
    calendar: state.days.length === 0 ? null : { id: calendarId, start: plan.start, end, weekdays: [...state.days] },
  };
}

/** The side column: account, entitlement and its reason, plan, progress. */
import type { PersonPage } from "../contract/people.ts";
import { inWords } from "../parts/formats.ts";
import { Money, When } from "../parts/Formats.tsx";
import { Facts, Section } from "../parts/Panel.tsx";
import { Notice, Status, Tag } from "../parts/Signs.tsx";
import styles from "./person.module.css";

const changeWords = { cancel: "Ends", pause: "Pauses", resume: "Resumes" } as const;
const statusWords = { active: "active", past_due: "overdue", paused: "paused", deleted: "ended" } as const;

export function Entitlement({ entitlement, obstacles }: Pick<PersonPage, "entitlement" | "obstacles">) {
  const { usable, status, end, why } = entitlement;
  return (
    <Section anchor="access" title="Access">
      <Facts
        rows={[
          [
            "State",
            <Status key="state" tone={!usable ? "none" : status === "past_due" ? "care" : "good"}>
              {status === null ? "none" : statusWords[status]}
            </Status>,
          ],
          ["Ends", <When key="end" at={end} />],
        ]}
      />
      <p className={styles["why"]}>{why}</p>
      {obstacles.length > 0 && (
        <div className="stack" style={{ marginTop: 12 }}>
          <h3>What may keep them out</h3>
          {obstacles.map(({ title, says }) => (
            <Notice key={title} tone="care" title={title}>
              <p className="small">{says}</p>
            </Notice>
          ))}
        </div>
      )}
    </Section>
  );
}

export function PlanFacts({ plan }: { readonly plan: PersonPage["plan"] }) {
  if (plan === null) return null;
  const { productPlan, price, currency, trialing, nextCharge, change, provider, subscription, moneyBackUntil } = plan;
  return (
    <Section
      anchor="plan"
      title="Plan"
      actions={change === null ? undefined : <Tag tone="care">{changeWords[change.action].toLowerCase()}</Tag>}
    >
      <Facts
        rows={[
          ["Plan", `${inWords.plan(productPlan)}${trialing ? ", in its trial" : ""}`],
          ["Price", <Money key="price" minor={price} currency={currency} />],
          ["Next charge", <When key="next" at={nextCharge} day />],
          ...(change === null ? [] : [[changeWords[change.action], <When key="change" at={change.at} day />] as const]),
          ["Money back until", moneyBackUntil ?? "–"],
          ["Provider", provider === "paddle" ? "Paddle Classic" : "Paddle Billing"],
          [
            "Subscription",
            <span key="id" className="code">
              {subscription ?? "–"}
            </span>,
          ],
        ]}
      />
    </Section>
  );
}

export function About({ account, learning }: Pick<PersonPage, "account" | "learning">) {
  return (
    <>
      <Section anchor="account" title="Account">
        <Facts
          rows={[
            ["Address", account.email],
            [
              "Confirmed",
              account.confirmedAt === null ? (
                <span key="no" className="care">
                  no
                </span>
              ) : (
                <When key="at" at={account.confirmedAt} day />
              ),
            ],
            ...(account.newEmail === null ? [] : [["Waits to become", account.newEmail] as const]),
            ["Language", account.locale],
            ["Password", account.hasPassword ? "yes" : "none"],
            ["News by e-mail", account.marketing === null ? "not asked" : account.marketing ? "yes" : "no"],
            ["Site", account.appVersion],
          ]}
        />
      </Section>
      <Section anchor="learning" title="Learning">
        <Facts
          rows={[
            ["Version", learning.version],
            ["Questionnaire", learning.finished ? "finished" : "not finished"],
            ["Level", learning.level ?? "–"],
            ["Last saved", <When key="saved" at={learning.savedAt} />],
          ]}
        />
      </Section>
    </>
  );
}

export function Records({ consents, sessions, audit }: Pick<PersonPage, "consents" | "sessions" | "audit">) {
  return (
    <>
      <Section anchor="consent" title="Consent">
        {consents.length === 0 && <p className="quiet">Nothing was chosen while signed in.</p>}
        {consents.map(({ at, functional, analytics, marketing, source }) => (
          <p key={at} className="row wrap">
            <span>
              {["necessary", functional && "functional", analytics && "statistics", marketing && "marketing"].filter(Boolean).join(", ")}
              <span className="quiet"> · {source}</span>
            </span>
            <span className="push quiet">
              <When at={at} />
            </span>
          </p>
        ))}
      </Section>
      <Section anchor="sessions" title="Sessions">
        {sessions.length === 0 && <p className="quiet">None.</p>}
        {sessions.map(({ startedAt, enteredBy, endedAt, endReason }) => (
          <p key={startedAt} className="row wrap">
            <span>
              By {enteredBy}
              {endedAt !== null && <span className="quiet">, ended: {endReason}</span>}
            </span>
            <span className="push quiet">
              <When at={startedAt} />
            </span>
          </p>
        ))}
      </Section>
      <Section anchor="operators" title="Done by operators">
        {audit.length === 0 && <p className="quiet">Nothing.</p>}
        {audit.map(({ at, who, what, reason }) => (
          <div key={`${at} ${what}`}>
            <p className="row wrap">
              <span>
                <span className="strong">{what}</span> by {who}
              </span>
              <span className="push quiet">
                <When at={at} />
              </span>
            </p>
            {reason !== null && <p className="quiet small">{reason}</p>}
          </div>
        ))}
      </Section>
    </>
  );
}

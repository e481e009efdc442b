/** Questions 73–82: the program is prepared, presented and offered. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import type { Text } from "#core/text.ts";
import type { Say, Screen } from "../story.ts";

/** The question with the offer. The screen before it is the program view. */
const offerQuestion = 80;
export const checkoutQuestion = 82;

export const offer = (t: Say): Screen[] => [
  {
    id: 73,
    type: "PreparingProgram",
    navbar: false,
    contents: [
      { type: "title", text: t("preparing.title") },
      {
        type: "preparingProgram",
        items: [
          {
            label: t("preparing.answers"),
            duration: 2600,
            titles: [t("preparing.answers1"), t("preparing.answers2")],
            barColor: "primary",
          },
          { label: t("preparing.lessons"), duration: 3000, titles: [t("preparing.lessons1"), t("preparing.lessons2")], barColor: "accent" },
          { label: t("preparing.week"), duration: 2400, titles: [t("preparing.week1"), t("preparing.week2")], barColor: "success" },
        ],
      },
    ],
    options: [{ id: 1, description: t("go.continue") }],
    next: 74,
  },
  {
    id: 74,
    layout: "wide",
    contents: [{ type: "title", text: t("yours.title") }, { type: "description", text: t("yours.text") }, { type: "programPromise" }],
    options: [{ id: 1, description: t("yours.go") }],
    next: 76,
  },
  {
    id: 76,
    type: "ThankYouView",
    header: { media: "skate", alt: t("ready.alt"), flexible: true },
    contents: [
      { type: "title-sparkle", text: t("ready.title") },
      {
        type: "list",
        ordered: true,
        items: [
          { text: t("ready.item1"), detail: t("ready.item1.detail") },
          { text: t("ready.item2"), detail: t("ready.item2.detail") },
          { text: t("ready.item3"), detail: t("ready.item3.detail") },
        ],
      },
    ],
    options: [{ id: 1, description: t("ready.go") }],
    next: offerQuestion,
  },
  {
    id: offerQuestion,
    layout: "wide",
    contents: [
      { type: "title", text: t("price.title") },
      { type: "description", text: t("price.text") },
      {
        type: "list",
        compact: true,
        requirements: { rules: [{ days: "on" }] },
        items: [
          { text: t("price.plan.level"), icon: "trending-up" },
          { text: t("price.plan.days"), icon: "calendar-days" },
          { text: t("price.plan.minutes"), icon: "timer" },
          { text: t("price.plan.end"), icon: "flag" },
        ],
      },
      { type: "price" },
      { type: "guarantee", title: t("guarantee.title"), text: t("guarantee.text") },
      {
        type: "questions",
        title: t("price.questions"),
        items: [
          { question: t("doubt.cancel"), answer: t("doubt.cancel.detail") },
          { question: t("doubt.time"), answer: t("doubt.time.detail") },
          { question: t("doubt.money"), answer: t("doubt.money.detail") },
        ],
      },
    ],
    options: [
      { id: 1, description: t("price.go") },
      { id: 2, description: t("price.doubt"), buttonStyle: "link", followUpQuestion: 81 },
    ],
    next: checkoutQuestion,
  },
  {
    id: 81,
    contents: [
      { type: "title", text: t("doubt.title") },
      {
        type: "list",
        items: [
          { text: t("doubt.kept"), detail: t("doubt.kept.detail"), icon: "badge-check" },
          { text: t("doubt.level"), detail: t("doubt.level.detail"), icon: "trending-up" },
        ],
      },
      { type: "planByMail", question: offerQuestion },
    ],
    options: [
      { id: 1, type: "ToPrevious", description: t("doubt.back"), buttonStyle: "primary" },
      { id: 2, type: "ToHomePage", description: t("doubt.later"), buttonStyle: "link" },
    ],
  },
  {
    id: checkoutQuestion,
    layout: "wide",
    contents: [{ type: "title", text: t("checkout.title") }, { type: "payment" }, { type: "paddle" }],
    options: [{ id: 1, type: "ToPrevious", description: t("checkout.change"), buttonStyle: "link" }],
  },
];

/** A weekly plan, for visitors who want to try without a trial. */
export const weekly = (t: Say): QuestionnaireInput["productConfigurations"][number] => ({
  productType: "subscription",
  productPlan: "1W",
  selectionTexts: { header: t("plan1w.header"), price: t("plan.perWeek"), footer: t("plan1w.footer") },
  paymentTexts: { paymentHeader: t("payment.header"), typeText: t("plan1w.type"), paymentFooter: t("plan1w.payment") },
});

/** A one-time program; `footer` is the text below its price. */
export const oneTime = (t: Say, productPlan: "3M" | "6M" | "12M", footer: Text): QuestionnaireInput["productConfigurations"][number] => ({
  productType: "onetime",
  productPlan,
  selectionTexts: { header: t("once.header"), price: t("once.price"), footer },
  paymentTexts: { paymentHeader: t("once.payment.header"), typeText: t("once.type"), paymentFooter: t("once.payment") },
});

/** Subscription plans. The catalogue decides whether a plan has a trial, and the texts follow it. */
export const subscriptions = (t: Say): QuestionnaireInput["productConfigurations"] => [
  {
    productType: "subscription",
    productPlan: "1M",
    selectionTexts: { header: t("plan1.header"), price: t("plan.perMonth"), footer: t("plan1.footer"), trial: t("plan1.trial") },
    paymentTexts: { paymentHeader: t("payment.header"), typeText: t("plan1.type"), paymentFooter: t("plan1.payment") },
  },
  {
    productType: "subscription",
    productPlan: "3M",
    tag: t("plan3.tag"),
    selectionTexts: { header: t("plan3.header"), price: t("plan.perMonth"), footer: t("plan3.footer"), trial: t("plan3.trial") },
    paymentTexts: { paymentHeader: t("payment.header"), typeText: t("plan3.type"), paymentFooter: t("plan3.payment") },
  },
  {
    productType: "subscription",
    productPlan: "12M",
    selectionTexts: { header: t("plan12.header"), price: t("plan.perMonth"), footer: t("plan12.footer"), trial: t("plan12.trial") },
    paymentTexts: { paymentHeader: t("payment.header"), typeText: t("plan12.type"), paymentFooter: t("plan12.payment") },
  },
];

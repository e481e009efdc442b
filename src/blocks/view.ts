/** The props of a block's view. They contain everything from outside the block; a view imports no service. */
import type { Formats } from "#core/formats.ts";
import type { PictureSource } from "#core/pictures.ts";
import type { Product } from "#core/products.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { ProductConfiguration, Questionnaire, StudySchedule } from "#core/questionnaire/definition.ts";
import type { Plan } from "#core/questionnaire/plan.ts";
import type { ListField, State } from "#core/questionnaire/state.ts";
import type { OfferTerms } from "#core/terms.ts";
import type { Text, TextValues } from "#core/text.ts";
import type { FunctionComponent, ReactNode } from "react";
import type { BlockStatus, SignupFields } from "./block.ts";

export interface BlockViewProps<Content> {
  readonly content: Content;
  /** Unique on the page; for element ids. */
  readonly id: string;
  readonly state: State;
  readonly context: Context;
  readonly status: BlockStatus;
  readonly done: boolean;
  readonly site: BlockSite;
}

export type BlockView<Content> = FunctionComponent<BlockViewProps<Content>>;

/** The functions and data that the page offers to its blocks. */
export interface BlockSite {
  /** An interface text, with ICU arguments. */
  readonly t: (key: string, values?: TextValues) => string;
  /** A content's text with the visitor's placeholders filled in and inline tags rendered. */
  readonly say: (text: Text, more?: TextValues) => ReactNode;
  readonly plain: (text: Text, more?: TextValues) => string;
  readonly formats: Formats;
  /** Null for an unknown name (the checker proves that none is used). */
  readonly picture: (name: string) => PictureSource | null;
  readonly schedules: readonly StudySchedule[];
  readonly levels: Questionnaire["levels"];
  /** The visitor's current plan: the source of all figures, levels and dates of the program. */
  readonly plan: Plan;
  /** Reports that the block has ended (`block` → `pass`). */
  readonly onDone: () => void;
  /** Acts like the action button. */
  readonly submit: () => void;
  readonly chooseSchedule: (scheduleId: number) => void;
  readonly chooseDays: (days: readonly number[]) => void;
  readonly toggleListItem: (list: ListField, item: string) => void;
  readonly signup: {
    readonly fields: SignupFields;
    readonly setField: (field: keyof SignupFields, value: string) => void;
    /** The localized error, if any; shown after blur or a refused submit. */
    readonly errors: Partial<Record<keyof SignupFields, string>>;
    readonly onBlur: (field: keyof SignupFields) => void;
    readonly onEnter: () => void;
  };
  readonly offer: Offer;
  readonly checkout: Checkout;
  /** Mails the plan with a link back to this question; false when sending failed. */
  readonly mailPlan: (questionId: number) => Promise<boolean>;
  readonly avatarVariant: boolean;
  readonly appStoreLinks: { readonly android: string | null; readonly apple: string | null };
  readonly legalLinks: { readonly terms: string; readonly privacy: string };
  readonly track: (event: "ChatbotOpen" | "PaymentMethodSelected", payload?: Readonly<Record<string, string | number | boolean>>) => void;
  /** False until the page is hydrated. Nothing personal may be rendered before. */
  readonly live: boolean;
}

export interface Offer {
  readonly status: "loading" | "ready" | "failed";
  /** In the order of the call GET products: one-time, weekly, monthly. */
  readonly products: readonly Product[];
  readonly configurationOf: (product: Product) => ProductConfiguration;
  /** The terms of a product that is bought now. */
  readonly termsOf: (product: Product) => OfferTerms;
  readonly selected: Product | null;
  /** The coupon code that the visitor entered, included in the prices; null without one. */
  readonly coupon: string | null;
  /** Whether the coupon field shows: false when the offer already has a code. */
  readonly takesCoupon: boolean;
  /**
   * Applies the code if it makes a plan cheaper. The prices here and at the checkout then include it. `same`: it is applied already.
   * `kept`: the code that was applied before is no worse for the chosen plan, and stays.
   */
  readonly applyCoupon: (code: string) => Promise<"applied" | "same" | "kept" | "unknown" | "failed">;
  readonly select: (productId: string) => void;
  readonly retry: () => void;
}

export interface Checkout {
  /** `limited`: the rate limit was reached. `down`: the provider does not answer. */
  readonly status: "idle" | "loading" | "open" | "failed" | "limited" | "down";
  /** Opens or reopens the provider's inline form inside the element with this class. */
  readonly open: (frameTargetClass: string) => void;
  readonly close: () => void;
  /** Opens the provider's hosted page for the same order; false when it is not available. */
  readonly openHosted: () => Promise<boolean>;
  /** False when sending failed. */
  readonly mailLink: () => Promise<boolean>;
}

/** The props of a block's view. Everything from outside the block arrives here; a view imports no service. */
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

/** What a block can ask of the page around it. */
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
  /** In the order of GET products: one-time, weekly, monthly. */
  readonly products: readonly Product[];
  readonly configurationOf: (product: Product) => ProductConfiguration;
  /** The terms of a product bought now. */
  readonly termsOf: (product: Product) => OfferTerms;
  readonly selected: Product | null;
  /** The code that the visitor entered and that the prices include; null without one. */
  readonly coupon: string | null;
  /** False when the offer already has a code. */
  readonly takesCoupon: boolean;
  /** Whether the code makes any plan cheaper. If so, the prices here and at the checkout include it. */
  readonly applyCoupon: (code: string) => Promise<"applied" | "unknown" | "failed">;
  readonly select: (productId: string) => void;
  readonly retry: () => void;
}

export interface Checkout {
  /** `limited`: too many tries in a row, so this one has to wait. `down`: the provider does not answer. */
  readonly status: "idle" | "loading" | "open" | "failed" | "limited" | "down";
  /** Opens (or reopens) the provider's inline form inside the element with this class. */
  readonly open: (frameTargetClass: string) => void;
  readonly close: () => void;
  /** Leaves for the provider's hosted page for the same order; false when it is not available. */
  readonly openHosted: () => Promise<boolean>;
  /** False when sending failed. */
  readonly mailLink: () => Promise<boolean>;
}

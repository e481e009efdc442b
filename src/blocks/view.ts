/** What a block's view gets. Everything from outside the block comes in here; a view imports no service. */
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

/** What a block can ask of and say to the page around it. */
export interface BlockSite {
  /** An interface text, with ICU arguments. */
  readonly t: (key: string, values?: TextValues) => string;
  /** A content's text with the visitor's placeholders filled and inline tags rendered. */
  readonly say: (text: Text, more?: TextValues) => ReactNode;
  readonly plain: (text: Text, more?: TextValues) => string;
  readonly formats: Formats;
  /** Null for a name that does not exist (the checker proves that none is used). */
  readonly picture: (name: string) => PictureSource | null;
  readonly schedules: readonly StudySchedule[];
  readonly levels: Questionnaire["levels"];
  /** The visitor's plan as it stands: whatever shows figures, levels or dates of the program reads it. */
  readonly plan: Plan;
  /** The block has come to its end (`block` → `pass`). */
  readonly onDone: () => void;
  /** As if the way-on button had been pressed. */
  readonly submit: () => void;
  readonly chooseSchedule: (scheduleId: number) => void;
  readonly chooseDays: (days: readonly number[]) => void;
  readonly toggleListItem: (list: ListField, item: string) => void;
  readonly signup: {
    readonly fields: SignupFields;
    readonly setField: (field: keyof SignupFields, value: string) => void;
    /** The localised error to show now, if any; shown after blur or a refused submit. */
    readonly errors: Partial<Record<keyof SignupFields, string>>;
    readonly onBlur: (field: keyof SignupFields) => void;
    readonly onEnter: () => void;
  };
  readonly offer: Offer;
  readonly checkout: Checkout;
  /** Mails the plan, with the way back to this question; false when it did not go out. */
  readonly mailPlan: (questionId: number) => Promise<boolean>;
  readonly avatarVariant: boolean;
  readonly appStoreLinks: { readonly android: string | null; readonly apple: string | null };
  readonly legalLinks: { readonly terms: string; readonly privacy: string };
  readonly track: (event: "ChatbotOpen" | "PaymentMethodSelected", payload?: Readonly<Record<string, string | number | boolean>>) => void;
  /** False while the server renders and until the page is hydrated: nothing personal may show before. */
  readonly live: boolean;
}

export interface Offer {
  readonly status: "loading" | "ready" | "failed";
  /** In the order of GET products: one-time, weekly, monthly. */
  readonly products: readonly Product[];
  readonly configurationOf: (product: Product) => ProductConfiguration;
  /** What a product comes to when it is bought now. */
  readonly termsOf: (product: Product) => OfferTerms;
  readonly selected: Product | null;
  /** The code that somebody typed and that the prices have; null without one. */
  readonly coupon: string | null;
  /** False where a code comes with the offer. */
  readonly takesCoupon: boolean;
  /** Whether the code makes any of the plans cheaper; then the prices have it, here and at the checkout. */
  readonly applyCoupon: (code: string) => Promise<"applied" | "unknown" | "failed">;
  readonly select: (productId: string) => void;
  readonly retry: () => void;
}

export interface Checkout {
  /** `limited`: too many tries in a row; nothing is blocked, only early. `down`: the provider itself does not answer. */
  readonly status: "idle" | "loading" | "open" | "failed" | "limited" | "down";
  /** Opens (or opens again) the provider's inline form inside the element with this class. */
  readonly open: (frameTargetClass: string) => void;
  readonly close: () => void;
  /** Leaves for the provider's own page for the same order; false when there is none now. */
  readonly openHosted: () => Promise<boolean>;
  /** False when the link did not go out. */
  readonly mailLink: () => Promise<boolean>;
}

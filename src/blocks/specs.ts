/** All block types. A new block needs a folder, and an import and a line here and in `views.tsx`; the compiler and the conformance test report a missing one. */
import type { BlockSchema } from "#core/marks.ts";
import type * as v from "valibot";
import type { BlockSpec } from "./block.ts";
import { spec as appRating } from "./appRating/spec.ts";
import { spec as appStoreButton } from "./appStoreButton/spec.ts";
import { spec as avatar } from "./avatar/spec.ts";
import { spec as avatarImage } from "./avatar-image/spec.ts";
import { spec as avatarVideo } from "./avatar-video/spec.ts";
import { spec as bubble } from "./bubble/spec.ts";
import { spec as chatbot } from "./chatbot/spec.ts";
import { spec as daySelection } from "./daySelection/spec.ts";
import { spec as daySelectionConfirm } from "./daySelectionConfirm/spec.ts";
import { spec as description } from "./description/spec.ts";
import { spec as footnote } from "./footnote/spec.ts";
import { spec as guarantee } from "./guarantee/spec.ts";
import { spec as image } from "./image/spec.ts";
import { spec as list } from "./list/spec.ts";
import { spec as moreInfoOf } from "./moreInfoOf/spec.ts";
import { spec as paddle } from "./paddle/spec.ts";
import { spec as paragraph } from "./paragraph/spec.ts";
import { spec as paragraphs } from "./paragraphs/spec.ts";
import { spec as payment } from "./payment/spec.ts";
import { spec as planByMail } from "./planByMail/spec.ts";
import { spec as preparingProgram } from "./preparingProgram/spec.ts";
import { spec as preparingProgramSimple } from "./preparingProgramSimple/spec.ts";
import { spec as price } from "./price/spec.ts";
import { spec as programChangeWish } from "./programChangeWish/spec.ts";
import { spec as programPromise } from "./programPromise/spec.ts";
import { spec as proofProgress } from "./proofProgress/spec.ts";
import { spec as questions } from "./questions/spec.ts";
import { spec as scheduleSummary } from "./scheduleSummary/spec.ts";
import { spec as signupEmail } from "./signupEmail/spec.ts";
import { spec as signupMarketingConsent } from "./signupMarketingConsent/spec.ts";
import { spec as signupName } from "./signupName/spec.ts";
import { spec as signupPassword } from "./signupPassword/spec.ts";
import { spec as skillsToImprove } from "./skillsToImprove/spec.ts";
import { spec as slideshow } from "./slideshow/spec.ts";
import { spec as startHereImage } from "./startHereImage/spec.ts";
import { spec as studySchedule } from "./studySchedule/spec.ts";
import { spec as table } from "./table/spec.ts";
import { spec as testimonial } from "./testimonial/spec.ts";
import { spec as title } from "./title/spec.ts";
import { spec as titleSparkle } from "./title-sparkle/spec.ts";
import { spec as wait } from "./wait/spec.ts";

const specs = {
  title,
  "title-sparkle": titleSparkle,
  description,
  footnote,
  paragraph,
  paragraphs,
  signupEmail,
  signupPassword,
  signupName,
  signupMarketingConsent,
  programPromise,
  studySchedule,
  daySelection,
  daySelectionConfirm,
  scheduleSummary,
  proofProgress,
  questions,
  planByMail,
  list,
  slideshow,
  wait,
  preparingProgram,
  preparingProgramSimple,
  guarantee,
  payment,
  appRating,
  appStoreButton,
  startHereImage,
  table,
  testimonial,
  image,
  bubble,
  price,
  skillsToImprove,
  moreInfoOf,
  programChangeWish,
  paddle,
  chatbot,
  "avatar-image": avatarImage,
  "avatar-video": avatarVideo,
  avatar,
};

type Schemas = { readonly [Type in keyof typeof specs]: (typeof specs)[Type]["schema"] };
export type BlockType = keyof Schemas;
/** The mapped type ensures that each key is the type in its spec. */
export type BlockSpecs = { readonly [Type in BlockType]: BlockSpec<Type, Schemas[Type]> };
export const blockSpecs: BlockSpecs = specs;

/** What a block's view and validation receive: contents with defaults filled in. */
export type BlockContentOf<Type extends BlockType> = v.InferOutput<Schemas[Type]>;
export type BlockContent = { [Type in BlockType]: BlockContentOf<Type> }[BlockType];
/** What an author writes: fields with defaults may be omitted. */
export type BlockContentInput = { [Type in BlockType]: v.InferInput<Schemas[Type]> }[BlockType];

export const blockTypes: readonly BlockType[] = Object.keys(blockSpecs).filter(isBlockType);

export function isBlockType(type: string): type is BlockType {
  return Object.hasOwn(blockSpecs, type);
}

export const blockSchema: BlockSchema = (type) => (isBlockType(type) ? blockSpecs[type].schema : undefined);

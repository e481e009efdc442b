/** Every block's examples, for the gallery and the conformance tests. Every folder's `examples.ts` exports `examples`. */
import type * as v from "valibot";
import type { BlockExamples } from "./block.ts";
import { examples as appRating } from "./appRating/examples.ts";
import { examples as appStoreButton } from "./appStoreButton/examples.ts";
import { examples as avatar } from "./avatar/examples.ts";
import { examples as avatarImage } from "./avatar-image/examples.ts";
import { examples as avatarVideo } from "./avatar-video/examples.ts";
import { examples as bubble } from "./bubble/examples.ts";
import { examples as chatbot } from "./chatbot/examples.ts";
import { examples as daySelection } from "./daySelection/examples.ts";
import { examples as daySelectionConfirm } from "./daySelectionConfirm/examples.ts";
import { examples as description } from "./description/examples.ts";
import { examples as footnote } from "./footnote/examples.ts";
import { examples as guarantee } from "./guarantee/examples.ts";
import { examples as image } from "./image/examples.ts";
import { examples as list } from "./list/examples.ts";
import { examples as moreInfoOf } from "./moreInfoOf/examples.ts";
import { examples as paddle } from "./paddle/examples.ts";
import { examples as paragraph } from "./paragraph/examples.ts";
import { examples as paragraphs } from "./paragraphs/examples.ts";
import { examples as payment } from "./payment/examples.ts";
import { examples as preparingProgram } from "./preparingProgram/examples.ts";
import { examples as preparingProgramSimple } from "./preparingProgramSimple/examples.ts";
import { examples as price } from "./price/examples.ts";
import { examples as programChangeWish } from "./programChangeWish/examples.ts";
import { examples as programPromise } from "./programPromise/examples.ts";
import { examples as proofProgress } from "./proofProgress/examples.ts";
import { examples as scheduleSummary } from "./scheduleSummary/examples.ts";
import { examples as signupEmail } from "./signupEmail/examples.ts";
import { examples as signupMarketingConsent } from "./signupMarketingConsent/examples.ts";
import { examples as signupName } from "./signupName/examples.ts";
import { examples as signupPassword } from "./signupPassword/examples.ts";
import { examples as skillsToImprove } from "./skillsToImprove/examples.ts";
import { examples as slideshow } from "./slideshow/examples.ts";
import { examples as startHereImage } from "./startHereImage/examples.ts";
import { examples as studySchedule } from "./studySchedule/examples.ts";
import { examples as table } from "./table/examples.ts";
import { examples as testimonial } from "./testimonial/examples.ts";
import { examples as title } from "./title/examples.ts";
import { examples as titleSparkle } from "./title-sparkle/examples.ts";
import { examples as wait } from "./wait/examples.ts";
import type { blockSpecs, BlockType } from "./specs.ts";

export const blockExamples: { readonly [Type in BlockType]: BlockExamples<v.InferInput<(typeof blockSpecs)[Type]["schema"]>> } = {
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

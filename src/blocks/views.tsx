/** The view of every block. Each folder's `view.tsx` exports `View`; the mapped type reports a missing one. */
import { View as appRating } from "./appRating/view.tsx";
import { View as appStoreButton } from "./appStoreButton/view.tsx";
import { View as avatar } from "./avatar/view.tsx";
import { View as avatarImage } from "./avatar-image/view.tsx";
import { View as avatarVideo } from "./avatar-video/view.tsx";
import { View as bubble } from "./bubble/view.tsx";
import { View as chatbot } from "./chatbot/view.tsx";
import { View as daySelection } from "./daySelection/view.tsx";
import { View as daySelectionConfirm } from "./daySelectionConfirm/view.tsx";
import { View as description } from "./description/view.tsx";
import { View as footnote } from "./footnote/view.tsx";
import { View as guarantee } from "./guarantee/view.tsx";
import { View as image } from "./image/view.tsx";
import { View as list } from "./list/view.tsx";
import { View as moreInfoOf } from "./moreInfoOf/view.tsx";
import { View as paddle } from "./paddle/view.tsx";
import { View as paragraph } from "./paragraph/view.tsx";
import { View as paragraphs } from "./paragraphs/view.tsx";
import { View as payment } from "./payment/view.tsx";
import { View as planByMail } from "./planByMail/view.tsx";
import { View as preparingProgram } from "./preparingProgram/view.tsx";
import { View as preparingProgramSimple } from "./preparingProgramSimple/view.tsx";
import { View as price } from "./price/view.tsx";
import { View as programChangeWish } from "./programChangeWish/view.tsx";
import { View as programPromise } from "./programPromise/view.tsx";
import { View as proofProgress } from "./proofProgress/view.tsx";
import { View as questions } from "./questions/view.tsx";
import { View as scheduleSummary } from "./scheduleSummary/view.tsx";
import { View as signupEmail } from "./signupEmail/view.tsx";
import { View as signupMarketingConsent } from "./signupMarketingConsent/view.tsx";
import { View as signupName } from "./signupName/view.tsx";
import { View as signupPassword } from "./signupPassword/view.tsx";
import { View as skillsToImprove } from "./skillsToImprove/view.tsx";
import { View as slideshow } from "./slideshow/view.tsx";
import { View as startHereImage } from "./startHereImage/view.tsx";
import { View as studySchedule } from "./studySchedule/view.tsx";
import { View as table } from "./table/view.tsx";
import { View as testimonial } from "./testimonial/view.tsx";
import { View as title } from "./title/view.tsx";
import { View as titleSparkle } from "./title-sparkle/view.tsx";
import { View as wait } from "./wait/view.tsx";
import type { BlockContentOf, BlockType } from "./specs.ts";
import type { BlockView } from "./view.ts";

/** Exported here too, so that one import loads the views and these functions on demand. */
export { parseContent, picturesOf, traitsOf, validateContents } from "./allContents.ts";

export const blockViews: { readonly [Type in BlockType]: BlockView<BlockContentOf<Type>> } = {
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
  questions,
  planByMail,
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

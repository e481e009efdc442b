import { talkingGuideExamples } from "../talkingGuide.examples.ts";

export const examples = talkingGuideExamples("avatar");

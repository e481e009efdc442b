export { TalkingGuideView as View } from "../talkingGuide.view.tsx";

import { GuideScene } from "#ui/GuideScene.tsx";
import { useReducedMotion, useTimeout, waitFor } from "#ui/motion.ts";
import { Picture } from "#ui/Picture.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";

/** A picture of the guide, who says one sentence. */
export function View({ content, context, done, site }: BlockViewProps<Content>) {
  const reduced = useReducedMotion();
  const source = site.picture(content.image);
  useTimeout(site.onDone, done ? null : waitFor(content.timer, reduced));
  return (
    <GuideScene
      fullscreen={content.fullscreen}
      figure={source && <Picture source={source} alt="" locale={context.locale} eager large={content.fullscreen} />}
    >
      {content.text !== undefined && <p>{site.say(content.text)}</p>}
    </GuideScene>
  );
}

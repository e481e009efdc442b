import { subtitlePollInterval, subtitlesEnd, subtitleStartDelay, timingIn, wordsSaid } from "#core/subtitles.ts";
import { useReducedMotion, useTimeout, waitFor } from "#ui/motion.ts";
import { Picture } from "#ui/Picture.tsx";
import { TalkingGuide } from "#ui/TalkingGuide.tsx";
import type { TalkingGuideContent } from "./talkingGuide.spec.ts";
import type { BlockViewProps } from "./view.ts";

/** The guide speaks, with subtitles. The action buttons appear after the timer (spec 001 §4). */
export function TalkingGuideView({ content, context, done, site }: BlockViewProps<TalkingGuideContent>) {
  const { filename, extension } = content.video;
  const reduced = useReducedMotion();
  const poster = site.picture(filename) ?? site.picture("guide");
  useTimeout(site.onDone, done ? null : waitFor(content.timer ?? subtitlesEnd(content.subtitles, context.locale), reduced));
  return (
    <TalkingGuide
      fullscreen={content.fullscreen}
      hidden={content.hidden}
      sources={(extension === "webm" ? ["webm", "mp4"] : ["mp4", "webm"]).map((ext) => ({
        url: `/media/${filename}.${ext}`,
        type: `video/${ext}`,
      }))}
      poster={poster && <Picture source={poster} alt="" locale={context.locale} eager large={content.fullscreen} />}
      subtitles={content.subtitles.flatMap((subtitle) => {
        const timing = timingIn(subtitle, context.locale);
        return timing ? [{ text: site.plain(subtitle.text), ...timing }] : [];
      })}
      wordsSaid={wordsSaid}
      startDelay={subtitleStartDelay}
      pollInterval={subtitlePollInterval}
      label={site.t("block.avatar.subtitles")}
    />
  );
}

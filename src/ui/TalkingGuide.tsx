import { type ReactNode, type RefObject, useRef, useState } from "react";
import { classes } from "./classes.ts";
import { GuideScene } from "./GuideScene.tsx";
import { useInterval, useReducedMotion, useTimeout } from "./motion.ts";
import styles from "./TalkingGuide.module.css";

export interface SpokenSubtitle {
  readonly text: string;
  /** Milliseconds of the clip. */
  readonly from: number;
  readonly duration: number;
}

interface TalkingGuideProps {
  readonly fullscreen: boolean;
  /** URLs of the clip, the preferred format first. */
  readonly sources: readonly { readonly url: string; readonly type: string }[];
  /** Shown until the clip plays, and permanently if it cannot play. */
  readonly poster: ReactNode;
  /** Shows only the words, no picture. */
  readonly hidden: boolean;
  readonly subtitles: readonly SpokenSubtitle[];
  /** The number of words of a subtitle that have been said; null while the subtitle is hidden. */
  readonly wordsSaid: (wordCount: number, subtitle: SpokenSubtitle, at: number) => number | null;
  readonly startDelay: number;
  readonly pollInterval: number;
  /** The label of the subtitles for screen readers. */
  readonly label: string;
}

/**
 * A clip with subtitles that appear word by word, driven by the clip's own time. If the clip does not play (blocked, missing, slow), the clock
 * drives them. With reduced motion the poster stays and all words show at once.
 */
export function TalkingGuide({
  fullscreen,
  sources,
  poster,
  hidden,
  subtitles,
  wordsSaid,
  startDelay,
  pollInterval,
  label,
}: TalkingGuideProps) {
  const reduced = useReducedMotion();
  const video = useRef<HTMLVideoElement>(null);
  const [playing, setPlaying] = useState(false);
  const end = Math.max(0, ...subtitles.map(({ from, duration }) => from + duration));
  const at = useSpeechTime(video, { end, startDelay, pollInterval });

  const shown = reduced
    ? subtitles
    : subtitles.filter(
        (subtitle, index) =>
          subtitle === latest(subtitles, at) && (wordsSaid(1, subtitle, at ?? 0) !== null || index === subtitles.length - 1),
      );
  const figure = hidden ? null : (
    <>
      <div className={classes(styles["poster"], playing && styles["behind"])}>{poster}</div>
      {!reduced && (
        <video
          ref={video}
          className={playing ? undefined : styles["behind"]}
          muted
          autoPlay
          playsInline
          preload="auto"
          aria-hidden="true"
          tabIndex={-1}
          onPlaying={() => setPlaying(true)}
          onError={() => setPlaying(false)}
        >
          {sources.map(({ url, type }) => (
            <source key={url} src={url} type={type} />
          ))}
        </video>
      )}
    </>
  );
  return (
    <GuideScene fullscreen={fullscreen} figure={figure} inside>
      {subtitles.length > 0 && (
        <div className={styles["subtitles"]} role="group" aria-label={label} aria-live="polite" data-all={reduced}>
          {shown.map((subtitle) => (
            <Words key={subtitle.from} text={subtitle.text} said={reduced ? null : (count) => wordsSaid(count, subtitle, at ?? 0)} />
          ))}
        </div>
      )}
    </GuideScene>
  );
}

/**
 * The time within the speech in ms; null before `startDelay`, and always with reduced motion. The clip sets the time if it plays at the
 * start, otherwise the clock does.
 */
function useSpeechTime(
  video: RefObject<HTMLVideoElement | null>,
  { end, startDelay, pollInterval }: { readonly end: number; readonly startDelay: number; readonly pollInterval: number },
): number | null {
  const reduced = useReducedMotion();
  const [at, setAt] = useState<number | null>(null);
  const clock = useRef<{ readonly startedAt: number; readonly ledByClip: boolean } | null>(null);
  const over = at !== null && at >= end;
  useTimeout(
    () => {
      const clip = video.current;
      clock.current = {
        startedAt: performance.now() - startDelay,
        ledByClip: clip !== null && !clip.paused && clip.readyState >= clip.HAVE_CURRENT_DATA,
      };
      setAt(startDelay);
    },
    reduced ? null : startDelay,
  );
  useInterval(
    () => {
      if (!clock.current) return;
      const { startedAt, ledByClip } = clock.current;
      const clip = video.current;
      setAt(ledByClip && clip && !clip.ended ? clip.currentTime * 1000 : performance.now() - startedAt);
    },
    reduced || at === null || over ? null : pollInterval,
  );
  return at;
}

function latest(subtitles: readonly SpokenSubtitle[], at: number | null): SpokenSubtitle | undefined {
  return at === null ? undefined : subtitles.findLast(({ from }) => from <= at);
}

/** Reserves the space of all words from the start. Screen readers get the whole sentence once. `said` null shows all words. */
function Words({ text, said }: { readonly text: string; readonly said: ((wordCount: number) => number | null) | null }) {
  const words = text.split(/\s+/).filter(Boolean);
  const count = said?.(words.length) ?? words.length;
  return (
    <p>
      <span className="sr">{text}</span>
      <span aria-hidden="true">
        {words.map((word, index) => (
          <span key={index} className={styles["word"]} data-said={index < count}>
            {word}{" "}
          </span>
        ))}
      </span>
    </p>
  );
}

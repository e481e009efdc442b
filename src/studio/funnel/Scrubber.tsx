/** Moves through the screens of a visit: by button, key or slider, or by playing the visit. */
import { Pause, Play, SkipBack, SkipForward } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { Button } from "../parts/Button.tsx";
import { inWords } from "../parts/formats.ts";
import { Segmented } from "../parts/Segmented.tsx";
import { useKeys } from "../shell/keys.ts";
import type { Stay } from "./stays.ts";
import styles from "./visits.module.css";

const speeds = [
  ["1", "1×"],
  ["2", "2×"],
  ["4", "4×"],
] as const;
type Speed = (typeof speeds)[number][0];
/** A played screen is shown at most this long at single speed, ms: some visitors leave a page open for hours. */
const longestShown = 10_000;

interface ScrubberProps {
  readonly stays: readonly Stay[];
  readonly place: number;
  readonly onMove: (place: number) => void;
}

/** Arrow keys move by one screen and Space plays, wherever the focus is. In the strip, a screen's width is its duration. */
export function Scrubber({ stays, place, onMove }: ScrubberProps) {
  const { playing, speed, setSpeed, toggle, move } = usePlaying(stays, place, onMove);
  useKeys((key, { target }) => {
    if (key === " ") {
      // Space presses the button that has the focus.
      if (target instanceof Element && target.closest("button") !== null) return false;
      toggle();
      return true;
    }
    const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    // Sliders and radio buttons handle the arrow keys themselves.
    if (by === 0 || target instanceof HTMLInputElement) return false;
    if (stays[place + by] !== undefined) move(place + by);
    return true;
  });
  const [from = 0, to = 0] = [stays[0]?.from, stays.at(-1)?.to];
  return (
    <div className={styles["scrubber"]}>
      <div className="row">
        <Button kind="main" square small aria-label={playing ? "Pause" : "Play"} title="Space" onClick={toggle}>
          {playing ? <Pause size={14} aria-hidden="true" /> : <Play size={14} aria-hidden="true" />}
        </Button>
        <Button square small aria-label="Screen before" disabled={place === 0} onClick={() => move(place - 1)}>
          <SkipBack size={14} aria-hidden="true" />
        </Button>
        <Button square small aria-label="Next screen" disabled={place === stays.length - 1} onClick={() => move(place + 1)}>
          <SkipForward size={14} aria-hidden="true" />
        </Button>
        <Segmented label="Speed" value={speed} options={speeds} onChange={setSpeed} />
        <span className="small">
          Screen {place + 1} of {stays.length}
        </span>
        <span className="quiet small">
          {inWords.lasting((stays[place]?.from ?? from) - from)} of {inWords.lasting(to - from)}
        </span>
        <span className="quiet tiny push">Width of a step: seconds spent on it</span>
      </div>
      <div className={styles["strip"]} aria-hidden="true">
        {stays.map((stay, index) => (
          <span
            key={index}
            className={index === place ? styles["here"] : undefined}
            style={{ flexGrow: Math.max(1, (stay.to - stay.from) / 1_000) }}
          >
            {stay.questionId}
          </span>
        ))}
      </div>
      <input
        type="range"
        aria-label="Screen of the visit"
        aria-valuetext={`${place + 1} of ${stays.length}: ${stays[place]?.title ?? ""}`}
        min={0}
        max={stays.length - 1}
        value={place}
        onChange={({ target }) => move(Number(target.value))}
      />
    </div>
  );
}

/** Shows each screen as long as the visitor saw it, up to the last one. From the last one, playing begins at the first. */
function usePlaying(stays: readonly Stay[], place: number, onMove: (place: number) => void) {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>("1");
  const last = stays.length - 1;
  const stay = stays[place];
  const shownFor = Math.min(stay === undefined ? 0 : stay.to - stay.from, longestShown) / Number(speed);
  const move = (to: number) => {
    if (to >= last) setPlaying(false);
    onMove(to);
  };
  const next = useEffectEvent(() => move(place + 1));
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setTimeout(() => next(), shownFor);
    return () => clearTimeout(timer);
  }, [playing, place, shownFor]);
  const toggle = () => {
    setPlaying(!playing && last > 0);
    if (!playing && place >= last) onMove(0);
  };
  return { playing, speed, setSpeed, toggle, move };
}

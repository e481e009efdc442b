import type { ReactNode } from "react";
import styles from "./GuideScene.module.css";
import { SpeechBubble } from "./SpeechBubble.tsx";

interface GuideSceneProps {
  /** Fills the screen's height; the default is a row with figure and bubble. */
  readonly fullscreen: boolean;
  /** Picture or video of the speaker; null shows the words alone. */
  readonly figure: ReactNode;
  /** Keeps the figure inside the shape: it may have an opaque background, such as a video without transparency. */
  readonly inside?: boolean;
  /** The words in the bubble; without them there is no bubble. */
  readonly children?: ReactNode;
}

interface GuideFigureProps {
  readonly inside?: boolean;
  readonly children: ReactNode;
}

/** A figure in front of a colored shape. */
export function GuideFigure({ inside = false, children }: GuideFigureProps) {
  return (
    <div className={styles["figure"]} data-inside={inside}>
      {children}
    </div>
  );
}

/** A speaking figure in front of a colored shape, with the words in a bubble. */
export function GuideScene({ fullscreen, figure, inside = false, children }: GuideSceneProps) {
  return (
    <div className={styles["scene"]} data-fullscreen={fullscreen}>
      {figure !== null && <GuideFigure inside={inside}>{figure}</GuideFigure>}
      {children !== undefined && children !== false && <SpeechBubble className={styles["words"]}>{children}</SpeechBubble>}
    </div>
  );
}

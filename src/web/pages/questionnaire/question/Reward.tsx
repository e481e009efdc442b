import { pictures } from "#content/media/manifest.ts";
import type { Option } from "#core/questionnaire/definition.ts";
import { Figure } from "#ui/Figure.tsx";
import { useTimeout } from "#ui/motion.ts";
import { Picture } from "#ui/Picture.tsx";
import { SpeechBubble } from "#ui/SpeechBubble.tsx";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { useSite } from "../../../siteContext.tsx";
import styles from "./question.module.css";

/** The figure of a reward that names none. */
export const rewardFigure = "guide";

/** How long a reward is shown, ms: long enough for a slow reader. */
export function readingTime(words: string): number {
  return Math.min(7000, Math.max(3000, 1000 + 45 * words.length));
}

interface RewardProps {
  readonly reward: NonNullable<Option["reward"]>;
  readonly text: (value: Option["description"]) => ReactNode;
  readonly plain: (value: NonNullable<Option["description"]>) => string;
  readonly onEnd: () => void;
}

/** The guide leans in from the bottom edge and says one sentence. A tap or Enter skips it. */
export function Reward({ reward, text, plain, onEnd }: RewardProps) {
  const { locale } = useSite();
  const figure = pictures[reward.figure ?? rewardFigure];
  const end = useEffectEvent(onEnd);
  useTimeout(onEnd, readingTime(`${plain(reward.title)} ${plain(reward.text)}`));
  useEffect(() => {
    const skip = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      end();
    };
    addEventListener("click", skip, { capture: true });
    addEventListener("keydown", skip, { capture: true });
    return () => {
      removeEventListener("click", skip, { capture: true });
      removeEventListener("keydown", skip, { capture: true });
    };
  }, []);
  return (
    <div className={styles["reward"]} role="status" data-reward="">
      <div className={styles["rewardIn"]}>
        {figure !== undefined && (
          <Figure shape={1} className={styles["who"]}>
            <Picture source={figure} locale={locale} alt="" eager />
          </Figure>
        )}
        <SpeechBubble className={styles["says"]}>
          <strong>{text(reward.title)}</strong>
          <p>{text(reward.text)}</p>
        </SpeechBubble>
      </div>
    </div>
  );
}

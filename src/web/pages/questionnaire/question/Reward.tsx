import { pictures } from "#content/media/manifest.ts";
import type { Option } from "#core/questionnaire/definition.ts";
import { Figure } from "#ui/Figure.tsx";
import { useTimeout } from "#ui/motion.ts";
import { Picture } from "#ui/Picture.tsx";
import { SpeechBubble } from "#ui/SpeechBubble.tsx";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { useSite } from "../../../siteContext.tsx";
import { rewardFigure } from "./prefetch.ts";
import styles from "./question.module.css";

/** How long the guide speaks before the next question comes, ms. */
export const rewardTime = 1800;

interface RewardProps {
  readonly reward: NonNullable<Option["reward"]>;
  readonly text: (value: Option["description"]) => ReactNode;
  readonly onEnd: () => void;
}

/** The guide leans in from the bottom edge and says one sentence; a tap or Enter goes on at once. */
export function Reward({ reward, text, onEnd }: RewardProps) {
  const { locale } = useSite();
  const figure = pictures[reward.figure ?? rewardFigure];
  const end = useEffectEvent(onEnd);
  useTimeout(onEnd, rewardTime);
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

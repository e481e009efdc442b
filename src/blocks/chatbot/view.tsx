import { Timer, useReducedMotion, useWhen, waitFor } from "#ui/motion.ts";
import { Picture } from "#ui/Picture.tsx";
import { SpeechBubble } from "#ui/SpeechBubble.tsx";
import { TypingBubble } from "#ui/TypingBubble.tsx";
import { useState } from "react";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";
import styles from "./view.module.css";

/** A conversation that appears message by message, the first one at once. The action button shows after the last message. */
export function View({ content: { messages }, context, done, site }: BlockViewProps<Content>) {
  const reduced = useReducedMotion();
  const [shown, setShown] = useState(done ? messages.length : 1);
  const next = messages[shown];
  const guide = site.picture("guide");

  useWhen(next === undefined, site.onDone);
  useWhen(true, () => site.track("ChatbotOpen"));

  return (
    <div className={styles["chat"]}>
      {next && <Timer key={shown} delay={waitFor(next.delay, reduced)} onTime={() => setShown(reduced ? messages.length : shown + 1)} />}
      <div className={styles["log"]} role="log" aria-label={site.t("block.chatbot.log")}>
        {messages.slice(0, shown).map((message, index) => (
          <div key={index} data-from={message.from}>
            {message.from === "guide" && messages[index - 1]?.from !== "guide" && guide && (
              <span className={styles["face"]}>
                <Picture source={guide} alt="" locale={context.locale} eager />
              </span>
            )}
            <SpeechBubble side={message.from === "guide" ? "we" : "other"} tone={message.from === "guide" ? "surface" : "primary"}>
              <span className="sr">{site.t(`block.chatbot.${message.from}`)} </span>
              {site.say(message.text)}
            </SpeechBubble>
          </div>
        ))}
      </div>
      {next?.from === "guide" && (
        <p className={styles["typing"]}>
          <TypingBubble size="small" />
          <span className="sr">{site.t("block.chatbot.typing")}</span>
        </p>
      )}
    </div>
  );
}

import { isWayBack } from "#core/questionnaire/compile.ts";
import type { Option, Question } from "#core/questionnaire/definition.ts";
import { useState } from "react";
import { useSession, useSite } from "../../../siteContext.tsx";

interface Answering {
  /** The pressed option, until it is accepted or refused. */
  readonly pressed: number | null;
  /** The option whose reward is shown before it is submitted. */
  readonly rewarded: Option | null;
  readonly choose: (option: Option) => Promise<void>;
  readonly send: (option: Option) => Promise<void>;
  /** Chooses the main option, like its button. */
  readonly submit: () => void;
}

/** Handles an answer: press, reward, submission. `isOpen`: options that lead on can be pressed. */
export function useAnswering(question: Question, options: readonly Option[], isOpen: boolean): Answering {
  const { session } = useSite();
  const { busy } = useSession();
  const [pressed, setPressed] = useState<number | null>(null);
  const [rewarded, setRewarded] = useState<Option | null>(null);
  async function choose(option: Option) {
    if (pressed !== null || busy || !(isOpen || isWayBack(option))) return;
    setPressed(option.id);
    if (option.reward !== undefined && rewarded === null) setRewarded(option);
    else await send(option);
  }
  async function send(option: Option) {
    try {
      await session.choose(question.id, option.id);
    } finally {
      // The same question is still shown: the answer was refused, failed or led here again.
      setPressed(null);
      setRewarded(null);
    }
  }
  const submit = () => {
    const way = options.find((option) => !isWayBack(option));
    if (way !== undefined) void choose(way);
  };
  return { pressed, rewarded, choose, send, submit };
}

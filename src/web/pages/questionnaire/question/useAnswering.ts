import { isWayBack } from "#core/questionnaire/compile.ts";
import type { Option, Question } from "#core/questionnaire/definition.ts";
import { useState } from "react";
import { useSession, useSite } from "../../../siteContext.tsx";

interface Answering {
  /** The option that was pressed and is not taken or refused yet. */
  readonly pressed: number | null;
  /** The option whose reward shows before it is sent. */
  readonly rewarded: Option | null;
  readonly choose: (option: Option) => Promise<void>;
  readonly send: (option: Option) => Promise<void>;
  /** Takes the way on. */
  readonly submit: () => void;
}

/** Pressing an option, its reward, and sending it. `isOpen`: the ways on may be pressed now. */
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
      // The page is still here: the answer was refused, failed, or led to this same question.
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

import { pictures } from "#content/media/manifest.ts";
import type { Option, Question } from "#core/questionnaire/definition.ts";
import { isIconName } from "#ui/Icon.tsx";
import { OptionCard } from "#ui/OptionCard.tsx";
import { Picture } from "#ui/Picture.tsx";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useEffectEvent } from "react";
import { isPlainClick } from "../../../clicks.ts";
import { useSite } from "../../../siteContext.tsx";
import { keyHint } from "./options.ts";
import styles from "./question.module.css";

interface OptionsProps {
  readonly question: Pick<Question, "tiles">;
  readonly options: readonly Option[];
  readonly chosen: number | null;
  readonly busy: boolean;
  /** The address of an answer. Null: the answer is a button. Undefined: a disabled button, because a block fails (spec 001 §4). */
  readonly linkOf: (option: Option) => string | null | undefined;
  readonly onChoose: (option: Option) => void;
  readonly text: (value: Option["description"]) => ReactNode;
}

/** The answers as cards. Letters and digits choose, arrow keys move the focus. Before hydration a card is a link. */
export function Options({ question, options, chosen, busy, linkOf, onChoose, text }: OptionsProps) {
  const { t, locale } = useSite();
  const tiles = question.tiles ?? false;

  const onKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || busy || isElsewhere(event.target)) return;
    const index = options.findIndex((_, at) => event.key.toUpperCase() === keyHint(at) || event.key === String(at + 1));
    const option = options[index];
    if (option === undefined) return;
    event.preventDefault();
    onChoose(option);
  });
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => onKey(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);

  const list = (
    <ul role="list" aria-label={t("question.options")} className={styles["options"]} onKeyDown={moveFocus}>
      {options.map((option, index) => {
        const picture = option.picture === undefined ? undefined : pictures[option.picture];
        const href = linkOf(option);
        const card = {
          "data-option-id": option.id,
          title: text(option.description),
          ...(option.detail === undefined ? {} : { detail: text(option.detail) }),
          icon: isIconName(option.icon) ? option.icon : undefined,
          ...(picture === undefined ? {} : { picture: <Picture source={picture} locale={locale} alt="" eager={index < 2} /> }),
          keyHint: keyHint(index),
          chosen: chosen === option.id,
          tile: tiles,
          shape: tiles ? (shapes[index % 3] ?? 1) : 1,
          onClick: (event: MouseEvent) => {
            if (!isPlainClick(event)) return;
            event.preventDefault();
            onChoose(option);
          },
        } as const;
        return (
          <li key={option.id}>
            {href == null ? <OptionCard {...card} disabled={href === undefined} /> : <OptionCard {...card} href={href} draggable={false} />}
          </li>
        );
      })}
    </ul>
  );
  return tiles ? <div className={styles["tiles"]}>{list}</div> : list;
}

const shapes = [1, 2, 3] as const;

function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input,textarea,select,[contenteditable],dialog") !== null;
}

/** Arrow keys move the focus between cards without choosing. Space activates a card that is a link. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>) {
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-option-id]")];
  const at = cards.findIndex((card) => card === document.activeElement);
  if (at < 0) return;
  if (event.key === " " && cards[at]?.tagName === "A") {
    event.preventDefault();
    cards[at].click();
    return;
  }
  const step = event.key === "ArrowDown" || event.key === "ArrowRight" ? 1 : event.key === "ArrowUp" || event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  cards.at((at + step) % cards.length)?.focus();
}

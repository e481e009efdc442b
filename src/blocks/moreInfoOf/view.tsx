import { CheckList } from "#ui/CheckList.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";

/** What the visitor wants to know more of. */
export function View({ content, id, state, site }: BlockViewProps<Content>) {
  const chosen = content.items.map((item) => item.id).filter((item) => state.moreInfoOf.includes(item));
  return (
    <CheckList
      id={id}
      hint={content.hint === undefined ? site.t("block.moreInfoOf.hint") : site.say(content.hint)}
      chosenText={chosen.length === 0 ? "" : site.t("block.moreInfoOf.chosen", { COUNT: chosen.length })}
      items={content.items.map((item) => ({ ...item, text: site.say(item.text) }))}
      chosen={chosen}
      onToggle={(item) => site.toggleListItem("moreInfoOf", item)}
    />
  );
}

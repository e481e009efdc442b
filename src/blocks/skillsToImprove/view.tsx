import { CheckList } from "#ui/CheckList.tsx";
import type { BlockViewProps } from "../view.ts";
import type { Content } from "./spec.ts";

/** What the visitor wants to get better at. */
export function View({ content, id, state, site }: BlockViewProps<Content>) {
  const chosen = content.items.map((item) => item.id).filter((item) => state.skillsToImprove.includes(item));
  return (
    <CheckList
      id={id}
      hint={content.hint === undefined ? site.t("block.skillsToImprove.hint") : site.say(content.hint)}
      chosenText={chosen.length === 0 ? "" : site.t("block.skillsToImprove.chosen", { COUNT: chosen.length })}
      items={content.items.map((item) => ({ ...item, text: site.say(item.text) }))}
      chosen={chosen}
      onToggle={(item) => site.toggleListItem("skillsToImprove", item)}
    />
  );
}

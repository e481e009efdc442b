import { CheckList } from "#ui/CheckList.tsx";
import { type ChoiceListContent, chosenOf } from "./choiceList.spec.ts";
import type { BlockViewProps } from "./view.ts";

export function ChoiceListView({ content, id, state, site }: BlockViewProps<ChoiceListContent>) {
  const chosen = chosenOf(content, state);
  return (
    <CheckList
      id={id}
      hint={content.hint === undefined ? site.t("block.choiceList.hint") : site.say(content.hint)}
      chosenText={chosen.length === 0 ? "" : site.t("block.choiceList.chosen", { COUNT: chosen.length })}
      items={content.items.map((item) => ({ ...item, text: site.say(item.text) }))}
      chosen={chosen}
      onToggle={(item) => site.toggleListItem(content.type, item)}
    />
  );
}

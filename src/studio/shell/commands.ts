/** What Ctrl K finds: places, what the screen that is open can do, and what screens look up. */
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";

export interface Command {
  readonly id: string;
  readonly title: string;
  /** At the row's end: a key, a count, where it is. */
  readonly hint?: string;
  readonly run: () => void;
}
/** Looks something up as the operator types, such as a person. */
export interface Finder {
  /** Above its rows. */
  readonly group: string;
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Command[]>;
}

let commands: readonly Command[] = [];
const heard = new Set<() => void>();
const listen = (tell: () => void) => {
  heard.add(tell);
  return () => heard.delete(tell);
};

/** Offers commands while the calling screen is shown. */
export function useCommands(offered: readonly Command[]): void {
  const ids = offered.map(({ id, title }) => `${id} ${title}`).join("\n");
  // What runs is the latest that the screen offered, whenever it is chosen.
  const run = useEffectEvent((id: string) => offered.find((command) => command.id === id)?.run());
  const current = useEffectEvent(() => offered);
  useEffect(() => {
    const mine = current().map((command) => ({ ...command, run: () => run(command.id) }));
    commands = [...commands, ...mine];
    for (const tell of heard) tell();
    return () => {
      commands = commands.filter((command) => !mine.includes(command));
      for (const tell of heard) tell();
    };
  }, [ids]);
}
export const useOfferedCommands = (): readonly Command[] => useSyncExternalStore(listen, () => commands);

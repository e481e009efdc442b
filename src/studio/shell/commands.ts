/** Commands of the palette (Ctrl K): screens, actions of the open screen, search results. */
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";

export interface Command {
  readonly id: string;
  readonly title: string;
  /** Shown at the end of the row, like a key or a count. */
  readonly hint?: string;
  readonly run: () => void;
}
/** Searches while the operator types, for example for a person. */
export interface Finder {
  /** Heading above its results. */
  readonly group: string;
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Command[]>;
}

let commands: readonly Command[] = [];
const heard = new Set<() => void>();
const listen = (tell: () => void) => {
  heard.add(tell);
  return () => heard.delete(tell);
};

/** Adds commands while the calling component is mounted. */
export function useCommands(offered: readonly Command[]): void {
  const ids = offered.map(({ id, title }) => `${id} ${title}`).join("\n");
  // Looks the command up when it is chosen, so that it runs with the screen's latest state.
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

/** A vendor's chat behind our own button. It loads with the first tap, after consent. If it fails, the help page opens. */
import type { OutsideConfig } from "#core/outside.ts";

export type ChatConfig = NonNullable<OutsideConfig["chat"]>;

export interface Chat {
  /** Resolves once the chat is open. Rejects if it does not load. */
  readonly open: () => Promise<void>;
}

interface Vendor {
  readonly script: (key: string) => string;
  /** Runs before the script. */
  readonly prepare: (global: Window, key: string) => void;
  readonly open: (global: Window, key: string) => void;
}

function call(global: Window, name: string, ...args: readonly unknown[]): void {
  const target: unknown = Reflect.get(global, name);
  if (typeof target !== "function") throw new Error(`The chat did not set ${name}`);
  Reflect.apply(target, global, args);
}

const vendors: Readonly<Record<ChatConfig["vendor"], Vendor>> = {
  zendesk: {
    script: (key) => `https://static.zdassets.com/ekr/snippet.js?key=${encodeURIComponent(key)}`,
    prepare: () => {},
    open: (global) => call(global, "zE", "messenger", "open"),
  },
  intercom: {
    script: (key) => `https://widget.intercom.io/widget/${encodeURIComponent(key)}`,
    prepare: () => {},
    open(global, key) {
      call(global, "Intercom", "boot", { app_id: key });
      call(global, "Intercom", "show");
    },
  },
  crisp: {
    script: () => "https://client.crisp.chat/l.js",
    prepare(global, key) {
      Reflect.set(global, "CRISP_WEBSITE_ID", key);
      Reflect.set(global, "$crisp", [["do", "chat:open"]]);
    },
    open: () => {},
  },
  freshchat: {
    script: () => "https://wchat.freshchat.com/js/widget.js",
    prepare: () => {},
    open(global, key) {
      const widget: unknown = Reflect.get(global, "fcWidget");
      if (typeof widget !== "object" || widget === null) throw new Error("The chat did not set fcWidget");
      for (const [name, args] of [
        ["init", [{ token: key, host: "https://wchat.freshchat.com" }]],
        ["open", []],
      ] as const) {
        const method: unknown = Reflect.get(widget, name);
        if (typeof method === "function") Reflect.apply(method, widget, args);
      }
    },
  },
};

export function createChat({ vendor, key }: ChatConfig, load: (src: string) => Promise<void>, global: Window): Chat {
  const { script, prepare, open } = vendors[vendor];
  let loading: Promise<void> | null = null;
  return {
    async open() {
      if (loading === null) {
        prepare(global, key);
        loading = load(script(key));
        loading.catch(() => (loading = null));
      }
      await loading;
      open(global, key);
    },
  };
}

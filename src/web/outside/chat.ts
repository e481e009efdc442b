/** A vendor's chat behind our own button. It loads with the first tap, after consent. If it fails, the help page opens. */
import type { OutsideConfig } from "#core/outside.ts";
import type { OutsideService } from "./outside.ts";

export type ChatConfig = NonNullable<OutsideConfig["chat"]>;

export interface Chat extends OutsideService {
  /** Resolves once the chat is open, or if consent was withdrawn while it loaded. Rejects if it does not load. */
  readonly open: () => Promise<void>;
}

interface Vendor {
  readonly script: (key: string) => string;
  /** Runs before the script. */
  readonly prepare: (global: Window, key: string) => void;
  readonly open: (global: Window, key: string) => void;
  /** Takes the chat off the page and ends its session and cookies. */
  readonly end: (global: Window) => void;
}

function call(global: Window, name: string, ...args: readonly unknown[]): void {
  const target: unknown = Reflect.get(global, name);
  if (typeof target !== "function") throw new Error(`The chat did not set ${name}`);
  Reflect.apply(target, global, args);
}

/** Crisp takes commands as entries of an array, and replaces its `push`. */
function tellCrisp(global: Window, commands: readonly string[]): void {
  const list: unknown = Reflect.get(global, "$crisp");
  const push: unknown = typeof list === "object" && list !== null ? Reflect.get(list, "push") : undefined;
  if (typeof push !== "function") throw new Error("The chat did not set $crisp");
  for (const command of commands) Reflect.apply(push, list, [["do", command]]);
}

function tellFreshchat(global: Window, name: string, ...args: readonly unknown[]): void {
  const widget: unknown = Reflect.get(global, "fcWidget");
  if (typeof widget !== "object" || widget === null) throw new Error("The chat did not set fcWidget");
  const method: unknown = Reflect.get(widget, name);
  if (typeof method === "function") Reflect.apply(method, widget, args);
}

const vendors: Readonly<Record<ChatConfig["vendor"], Vendor>> = {
  zendesk: {
    script: (key) => `https://static.zdassets.com/ekr/snippet.js?key=${encodeURIComponent(key)}`,
    prepare: () => {},
    open(global) {
      call(global, "zE", "messenger:set", "cookies", true);
      call(global, "zE", "messenger", "show");
      call(global, "zE", "messenger", "open");
    },
    end(global) {
      call(global, "zE", "messenger", "hide");
      call(global, "zE", "messenger:set", "cookies", false);
    },
  },
  intercom: {
    script: (key) => `https://widget.intercom.io/widget/${encodeURIComponent(key)}`,
    prepare: () => {},
    open(global, key) {
      call(global, "Intercom", "boot", { app_id: key });
      call(global, "Intercom", "show");
    },
    end: (global) => call(global, "Intercom", "shutdown"),
  },
  crisp: {
    script: () => "https://client.crisp.chat/l.js",
    prepare(global, key) {
      Reflect.set(global, "CRISP_WEBSITE_ID", key);
      Reflect.set(global, "$crisp", []);
    },
    open: (global) => tellCrisp(global, ["chat:show", "chat:open"]),
    end: (global) => tellCrisp(global, ["chat:hide", "session:reset"]),
  },
  freshchat: {
    script: () => "https://wchat.freshchat.com/js/widget.js",
    prepare: () => {},
    open(global, key) {
      tellFreshchat(global, "init", { token: key, host: "https://wchat.freshchat.com" });
      tellFreshchat(global, "open");
    },
    end: (global) => tellFreshchat(global, "destroy"),
  },
};

export function createChat({ vendor, key }: ChatConfig, load: (src: string) => Promise<void>, global: Window): Chat {
  const { script, prepare, open, end } = vendors[vendor];
  let loading: Promise<void> | null = null;
  let withdrawn = false;
  let isOpen = false;
  return {
    consent({ functional }) {
      withdrawn = !functional;
      if (withdrawn && isOpen) end(global);
      isOpen &&= functional;
    },
    async open() {
      if (loading === null) {
        prepare(global, key);
        loading = load(script(key));
        loading.catch(() => (loading = null));
      }
      await loading;
      if (withdrawn) return;
      open(global, key);
      isOpen = true;
    },
  };
}

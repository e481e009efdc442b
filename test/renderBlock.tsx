/** Renders one block in the browser on a fake clock, and records everything that it reports to the page. */
import type { Locale } from "#core/locales.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { State } from "#core/questionnaire/state.ts";
import { exampleContext, exampleFields, exampleSite, exampleState } from "#blocks/exampleSite.ts";
import { Block } from "#blocks/Block.tsx";
import type { BlockContentInput } from "#blocks/specs.ts";
import { parseContent, validateContent } from "#blocks/allContents.ts";
import type { BlockSite } from "#blocks/view.ts";
import { blockViews } from "#blocks/views.tsx";
import { pictures } from "#content/media/manifest.ts";
import { act, useState } from "react";
import { createRoot } from "react-dom/client";
import { onTestFinished, vi } from "vitest";

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean;
}
globalThis.IS_REACT_ACT_ENVIRONMENT = true;

/** Step of the fake clock, ms. Every duration is a multiple of it. */
const clockStep = 5;

interface RenderOptions {
  readonly locale?: Locale;
  readonly context?: Partial<Context>;
  readonly state?: Partial<State>;
  readonly done?: boolean;
  readonly site?: Partial<BlockSite>;
}

/** An element's accessible name: its label, or its text for screen readers. */
export function nameOf(element: HTMLElement): string {
  const said = document.createElement("div");
  said.append(...[...element.childNodes].map((node) => node.cloneNode(true)));
  for (const unsaid of said.querySelectorAll("[aria-hidden=true]")) unsaid.remove();
  return element.ariaLabel ?? said.textContent.trim();
}

/** Renders the block until the test ends, with a stopped clock. Interface texts are replaced by their keys. */
export async function renderBlock(input: BlockContentInput, { locale = "es-419", context, state, done = false, site }: RenderOptions = {}) {
  const content = parseContent(input);
  const onDone = vi.fn();
  const submit = vi.fn();
  vi.useFakeTimers();
  const element = document.body.appendChild(document.createElement("div"));
  const root = createRoot(element);

  function Page({ around, changed }: { readonly around: Partial<BlockSite> | undefined; readonly changed: Partial<State> | undefined }) {
    const [isDone, setIsDone] = useState(done);
    const input = { state: { ...exampleState, ...state, ...changed }, context: { ...exampleContext(locale), ...context }, done: isDone };
    const status = validateContent(content.type, content, { ...input, fields: exampleFields });
    const end = () => {
      onDone();
      setIsDone(true);
    };
    const t: BlockSite["t"] = (key, values) => [key, ...Object.values(values ?? {})].join(" ");
    return (
      <div data-status={status}>
        <Block
          views={blockViews}
          content={content}
          id="block"
          {...input}
          status={status}
          site={exampleSite({
            state: input.state,
            locale,
            t,
            picture: (name) => pictures[name] ?? null,
            site: { onDone: end, submit, ...around },
          })}
        />
      </div>
    );
  }
  const render = (around: Partial<BlockSite> | undefined, changed?: Partial<State>) =>
    act(() => root.render(<Page around={around} changed={changed} />));
  await render(site);
  onTestFinished(async () => {
    await act(() => root.unmount());
    element.remove();
    vi.useRealTimers();
  });

  let now = 0;
  const all = (selector: string) => [...element.querySelectorAll<HTMLElement>(selector)];
  return {
    element,
    onDone,
    submit,
    all,
    /** The first matching element. Throws when there is none. */
    one(selector: string): HTMLElement {
      const [found] = all(selector);
      if (!found) throw new Error(`Nothing matches ${selector}`);
      return found;
    },
    /** The button with this text or name. Throws when there is none. */
    button(name: string): HTMLElement {
      const found = all("button").find((button) => button.textContent.trim() === name || nameOf(button) === name);
      if (!found) throw new Error(`No button ${name}`);
      return found;
    },
    status: () => element.querySelector<HTMLElement>("[data-status]")?.dataset["status"],
    /** Moves the fake clock on by `time` ms, in steps, so that each timer's change is rendered before the next timer. */
    async advance(time: number) {
      for (const end = now + time; now < end;) {
        const next = Math.min(end, (Math.floor(now / clockStep) + 1) * clockStep);
        await act(() => vi.advanceTimersByTimeAsync(next - now));
        now = next;
      }
    },
    click: (target: HTMLElement) => act(async () => target.click()),
    rerender: render,
  };
}

/** The tap script of every page, with events at times that the test sets. */
import { tapScript } from "./document.ts";
import { markReadable, markUnreadable } from "./readable.ts";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

const app = document.createElement("div");
app.innerHTML = `<header><a href="#back" id="back">Back</a></header>
  <main><a href="#one" id="one">One</a><button id="two">Two</button><input id="name"><label id="label"><input type="checkbox" id="box"></label></main>`;
const reached = vi.fn();
/** The test's time 0 on the events' clock. */
let start = 0;

beforeAll(() => {
  const script = document.createElement("script");
  script.textContent = tapScript;
  document.head.append(script);
  for (const type of ["click", "keydown"] as const)
    addEventListener(type, (event) => {
      if (!(event.target instanceof Element)) return;
      reached(event instanceof KeyboardEvent ? event.key : event.target.id);
      if (event.target instanceof HTMLAnchorElement) event.preventDefault();
    });
});
beforeEach(() => {
  reached.mockReset();
  document.body.append(app);
  delete app.dataset["readable"];
  start = new Event("now").timeStamp;
});
afterEach(() => {
  // Simulates another visitor.
  sessionStorage.clear();
  dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  app.remove();
});

const one = (id: string) => app.querySelector<HTMLElement>(`#${id}`) ?? document.body;
const send = (event: Event, id: string, at: number) => {
  Object.defineProperty(event, "timeStamp", { value: start + at });
  return one(id).dispatchEvent(event);
};
const bubbling = { bubbles: true, cancelable: true } as const;

interface Made extends PointerEventInit {
  readonly x?: number;
  readonly y?: number;
}
function down(id: string, at: number, { x = 100, y = 100, ...init }: Made = {}): void {
  send(new PointerEvent("pointerdown", { ...bubbling, pointerType: "touch", clientX: x, clientY: y, ...init }), id, at);
}
function tap(id: string, at: number, made: Made = {}): void {
  down(id, at, made);
  send(new MouseEvent("click", { ...bubbling, detail: 1, ...made }), id, at + 1);
}
const key = (name: string, id: string, at: number, init: KeyboardEventInit = {}) =>
  send(new KeyboardEvent("keydown", { ...bubbling, key: name, ...init }), id, at);
const whatReached = () => reached.mock.calls.flat();

describe("the second half of a double tap", () => {
  test.each([
    ["within 350 ms at the same place", 349, {}, false],
    ["after 350 ms", 350, {}, true],
    ["24 px beside it", 200, { x: 124 }, false],
    ["25 px beside it", 200, { x: 125 }, true],
    ["25 px away in both directions together", 200, { x: 118, y: 118 }, true],
    ["made with something else", 200, { pointerType: "mouse" }, true],
  ] as const)("%s", (_name, at, made, counts) => {
    tap("one", 0);
    tap("two", at, made);
    expect(whatReached()).toEqual(counts ? ["one", "two"] : ["one"]);
  });

  test("a third tap is compared with the second", () => {
    for (const at of [0, 340, 680, 1030]) tap("two", at);
    expect(whatReached()).toEqual(["two", "two"]);
  });

  test.each([
    [599, false],
    [600, true],
  ])("on another page it is ignored for 600 ms: after %i ms", (at, counts) => {
    tap("one", 0);
    app.dataset["readable"] = String(start + 30);
    tap("two", at);
    expect(whatReached()).toEqual(counts ? ["one", "two"] : ["one"]);
  });

  test("is also ignored when the other page is another document", () => {
    tap("one", 0);
    dispatchEvent(new PageTransitionEvent("pagehide"));
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    tap("two", 349);
    tap("two", 340, { x: 300 });
    expect(whatReached()).toEqual(["one", "two"]);
  });

  test("a press that becomes a scroll is no tap", () => {
    down("one", 0);
    send(new PointerEvent("pointercancel", bubbling), "one", 100);
    tap("two", 200);
    expect(whatReached()).toEqual(["two"]);
  });

  test("a click without a press, from assistive technology, is not compared with the previous press", () => {
    tap("one", 0);
    tap("one", 100);
    send(new MouseEvent("click", { ...bubbling, detail: 1 }), "two", 150);
    expect(whatReached()).toEqual(["one", "two"]);
  });

  test("a link is not followed, and a box not ticked twice", () => {
    const box = one("box");
    tap("box", 0);
    tap("box", 200);
    expect(box instanceof HTMLInputElement && box.checked).toBe(true);
  });

  test("clicks for a new tab, with Shift or with another button are left to the browser", () => {
    tap("one", 0);
    tap("one", 100, { shiftKey: true });
    tap("one", 150, { ctrlKey: true });
    down("two", 200, { button: 2 });
    tap("one", 340);
    expect(whatReached()).toEqual(["one", "one", "one"]);
  });
});

describe("a page that is not readable yet", () => {
  test("ignores taps during the change and taps from before it was readable, even if they are delivered late", () => {
    markUnreadable(app);
    tap("one", 0);
    key("a", "one", 10);
    one("two").click();
    expect(whatReached()).toEqual([]);
    markReadable(app);
    const since = Number(app.dataset["readable"]) - start;
    tap("one", since - 1, { x: 300 });
    tap("two", since, { x: 200 });
    expect(whatReached()).toEqual(["two"]);
    one("one").click();
    expect(whatReached()).toEqual(["two", "one"]);
  });

  test("the header and text fields accept taps meanwhile", () => {
    markUnreadable(app);
    tap("back", 0);
    tap("name", 10, { x: 300 });
    key("x", "name", 20);
    expect(whatReached()).toEqual(["back", "name", "x"]);
  });

  test("a clock that stopped during sleep loses no tap", () => {
    markReadable(app);
    tap("one", -20_000);
    expect(whatReached()).toEqual(["one"]);
  });
});

describe("keys", () => {
  test("a key that is held down counts once", () => {
    for (let time = 0; time < 5; time += 1) key("a", "one", time * 500, { repeat: time > 0 });
    expect(whatReached()).toEqual(["a"]);
  });

  test("the same key counts again after 350 ms, another one at once", () => {
    key("a", "one", 0);
    key("A", "one", 349, { shiftKey: true });
    key("b", "one", 350);
    key("Enter", "name", 400);
    key("Enter", "name", 600);
    expect(whatReached()).toEqual(["a", "b", "Enter"]);
  });

  test("the same key counts at once after another key in between", () => {
    key("Enter", "one", 0);
    key("Tab", "one", 50);
    key("Enter", "two", 100);
    key("Tab", "two", 150, { repeat: true });
    key("Enter", "two", 200);
    expect(whatReached()).toEqual(["Enter", "Tab", "Enter", "Tab"]);
  });

  test("typing, moving the focus and the browser's own commands are left alone", () => {
    for (const name of ["a", "a", " ", " "]) key(name, "name", 0, { repeat: true });
    for (const name of ["ArrowDown", "Tab", "Escape"]) key(name, "one", 0, { repeat: true });
    key("r", "one", 0, { ctrlKey: true, repeat: true });
    key("Enter", "name", 0, { isComposing: true, repeat: true });
    key(" ", "body", 0, { repeat: true });
    expect(whatReached()).toEqual(["a", "a", " ", " ", "ArrowDown", "Tab", "Escape", "r", "Enter", " "]);
  });

  test("an ignored Space presses no button on keyup; a counted one does, even when held", () => {
    const up = () => send(new KeyboardEvent("keyup", { ...bubbling, key: " " }), "two", 0);
    key(" ", "two", 0);
    key(" ", "two", 100, { repeat: true });
    expect(up()).toBe(true);
    key(" ", "two", 200);
    expect(up()).toBe(false);
    expect(up()).toBe(true);
  });
});

import { expect, it } from "vitest";
import { inPages } from "./pages.ts";

const rows = Array.from({ length: 101 }, (_, id) => ({ id }));
const afterLast = (last: { readonly id: number } | null) => (last === null ? 0 : last.id + 1);

it("every row is read once, a page after the other", async () => {
  const read: number[] = [];
  for await (const { id } of inPages(async (last: { readonly id: number } | null, limit) =>
    rows.slice(afterLast(last), afterLast(last) + limit),
  ))
    read.push(id);
  expect(read).toEqual(rows.map(({ id }) => id));
});

it("other work runs between two pages", async () => {
  const done: string[] = [];
  for await (const { id } of inPages(async (last: { readonly id: number } | null, limit) => {
    done.push("page");
    setImmediate(() => done.push("other work"));
    return rows.slice(afterLast(last), afterLast(last) + limit);
  }))
    void id;
  expect(done).toEqual(["page", "other work", "page", "other work", "page"]);
});

import { createLazyRoute } from "@tanstack/react-router";
import { PageHead } from "../parts/Panel.tsx";
import { Empty } from "../parts/State.tsx";

export const Route = createLazyRoute("/people/$uuid")({ component: Person });

function Person() {
  return (
    <>
      <PageHead title="Person" />
      <Empty title="There is nothing here yet" />
    </>
  );
}

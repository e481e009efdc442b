import { createLazyRoute } from "@tanstack/react-router";
import { PageHead } from "../parts/Panel.tsx";
import { Empty } from "../parts/State.tsx";

export const Route = createLazyRoute("/people")({ component: People });

function People() {
  return (
    <>
      <PageHead title="People" />
      <Empty title="There is nothing here yet" />
    </>
  );
}

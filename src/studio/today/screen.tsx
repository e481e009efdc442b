import { createLazyRoute } from "@tanstack/react-router";
import { PageHead } from "../parts/Panel.tsx";
import { Empty } from "../parts/State.tsx";

export const Route = createLazyRoute("/")({ component: Today });

function Today() {
  return (
    <>
      <PageHead title="Today" />
      <Empty title="There is nothing here yet" />
    </>
  );
}

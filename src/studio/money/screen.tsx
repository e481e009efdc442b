import { createLazyRoute } from "@tanstack/react-router";
import { PageHead } from "../parts/Panel.tsx";
import { Empty } from "../parts/State.tsx";

export const Route = createLazyRoute("/money")({ component: Money });

function Money() {
  return (
    <>
      <PageHead title="Money" />
      <Empty title="There is nothing here yet" />
    </>
  );
}

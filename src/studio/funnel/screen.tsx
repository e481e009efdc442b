import { createLazyRoute } from "@tanstack/react-router";
import { PageHead } from "../parts/Panel.tsx";
import { Empty } from "../parts/State.tsx";

export const Route = createLazyRoute("/funnel")({ component: Funnel });

function Funnel() {
  return (
    <>
      <PageHead title="Funnel" />
      <Empty title="There is nothing here yet" />
    </>
  );
}

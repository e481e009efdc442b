import { createLazyRoute } from "@tanstack/react-router";
import { PageHead } from "../parts/Panel.tsx";
import { Empty } from "../parts/State.tsx";

export const Route = createLazyRoute("/operations")({ component: Operations });

function Operations() {
  return (
    <>
      <PageHead title="Operations" />
      <Empty title="There is nothing here yet" />
    </>
  );
}

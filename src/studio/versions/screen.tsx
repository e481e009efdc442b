import { createLazyRoute } from "@tanstack/react-router";
import { PageHead } from "../parts/Panel.tsx";
import { Empty } from "../parts/State.tsx";

export const Route = createLazyRoute("/versions")({ component: Versions });

function Versions() {
  return (
    <>
      <PageHead title="Versions" />
      <Empty title="There is nothing here yet" />
    </>
  );
}

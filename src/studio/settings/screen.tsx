import { createLazyRoute } from "@tanstack/react-router";
import { PageHead } from "../parts/Panel.tsx";
import { Empty } from "../parts/State.tsx";

export const Route = createLazyRoute("/settings")({ component: Settings });

function Settings() {
  return (
    <>
      <PageHead title="Settings" />
      <Empty title="There is nothing here yet" />
    </>
  );
}

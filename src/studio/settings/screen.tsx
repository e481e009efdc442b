import { createLazyRoute, useNavigate } from "@tanstack/react-router";
import { PageHead } from "../parts/Panel.tsx";
import { Segmented } from "../parts/Segmented.tsx";
import { useMay } from "../shell/operator.ts";
import { Audit } from "./Audit.tsx";
import { MyAccess } from "./MyAccess.tsx";
import { Operators } from "./Operators.tsx";
import { settingsParts } from "./search.ts";

export const Route = createLazyRoute("/settings")({ component: Settings });

const words = { me: "My access", operators: "Operators", audit: "Audit" } as const;
const says = {
  me: "Your passkeys and sessions.",
  operators: "Operators and their roles.",
  audit: "Every action with its reason. Rows are never changed. Times are UTC.",
} as const;

function Settings() {
  const search = Route.useSearch();
  const navigate = useNavigate();
  const isAdmin = useMay("admin");
  const part = isAdmin ? (search.part ?? "me") : "me";
  return (
    <>
      <PageHead title="Settings" says={says[part]}>
        {isAdmin && (
          <Segmented
            label="Part"
            value={part}
            options={settingsParts.map((each) => [each, words[each]])}
            onChange={(next) => void navigate({ to: "/settings", search: { part: next } })}
          />
        )}
      </PageHead>
      {part === "me" && <MyAccess />}
      {part === "operators" && <Operators />}
      {part === "audit" && <Audit />}
    </>
  );
}

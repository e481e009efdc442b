import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { Button as PressButton, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from "react-aria-components";
import { useAction } from "../client.ts";
import { Brand } from "./Brand.tsx";
import { useCommands } from "./commands.ts";
import { roleNames, useMe } from "./operator.ts";
import styles from "./Shell.module.css";
import { themes, useTheme } from "./theme.ts";

export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((part) => part.charAt(0))
    .slice(0, 2)
    .join("")
    .toUpperCase();

const themeNames = { system: "As the system", light: "Light", dark: "Dark" } as const;

interface TopBarProps {
  readonly onSearch: () => void;
  readonly onHelp: () => void;
}

export function TopBar({ onSearch, onHelp }: TopBarProps) {
  const { exampleData } = useMe();
  return (
    <header className={styles["top"]}>
      <Link to="/" className={styles["topBrand"]}>
        <Brand />
      </Link>
      <button type="button" className={styles["search"]} onClick={onSearch} aria-keyshortcuts="Control+K">
        <Search size={16} aria-hidden="true" />
        <span>Search or do…</span>
        <kbd>Ctrl K</kbd>
      </button>
      {exampleData && <span className={styles["example"]}>Example data</span>}
      <OperatorMenu onHelp={onHelp} />
    </header>
  );
}

function OperatorMenu({ onHelp }: Pick<TopBarProps, "onHelp">) {
  useCommands([{ id: "keys", title: "Keys of the studio", hint: "?", run: onHelp }]);
  const { operator } = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [theme, setTheme] = useTheme();
  const signOut = useAction("signOut", { onDone: () => void queries.resetQueries() });
  const act = (key: string) => {
    if (key === "out") signOut.mutate({});
    else if (key === "keys") onHelp();
    else if (key === "access") void navigate({ to: "/settings", search: { part: "me" } });
  };
  return (
    <MenuTrigger>
      <PressButton className={styles["me"] ?? ""}>
        <span className={styles["initials"]} aria-hidden="true">
          {initialsOf(operator.name)}
        </span>
        <span className={styles["named"]}>
          {operator.name} <small>{roleNames[operator.role]}</small>
        </span>
      </PressButton>
      <Popover placement="bottom end" className={styles["menuPopover"] ?? ""}>
        <Menu className={styles["menu"] ?? ""} aria-label="Operator" onAction={(key) => act(String(key))}>
          <MenuItem id="access" className={styles["menuItem"] ?? ""}>
            My sessions and passkeys
          </MenuItem>
          <MenuItem id="keys" className={styles["menuItem"] ?? ""}>
            Keys <kbd className={styles["menuKey"]}>?</kbd>
          </MenuItem>
          <Separator className={styles["separator"] ?? ""} />
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={new Set([theme])}
            onSelectionChange={(keys) => setTheme(themes.find((each) => keys !== "all" && keys.has(each)) ?? "system")}
          >
            <Header className={styles["menuHead"] ?? ""}>Theme</Header>
            {themes.map((each) => (
              <MenuItem key={each} id={each} className={styles["menuItem"] ?? ""}>
                {themeNames[each]}
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className={styles["separator"] ?? ""} />
          <MenuItem id="out" className={styles["menuItem"] ?? ""}>
            Sign out
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

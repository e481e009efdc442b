/** Navigation between screens: a rail at the side, or a bar at the bottom of a phone. */
import { Link, useNavigate } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { useEffect, useState } from "react";
import { Menu, MenuItem, MenuTrigger, Popover, Button as PressButton } from "react-aria-components";
import { mayAs } from "../contract/call.ts";
import { inWords } from "../parts/formats.ts";
import { type Place, places } from "../screens.ts";
import { Brand } from "./Brand.tsx";
import { useMe } from "./operator.ts";
import styles from "./Shell.module.css";

const minute = 60_000;

/** The screens that the operator's role may open. */
export function usePlaces(): readonly Place[] {
  const { operator } = useMe();
  return places.filter(({ role }) => mayAs(operator.role, role));
}

export function Rail() {
  const { host, live } = useMe();
  return (
    <aside className={styles["rail"]} aria-label="Studio">
      <Link to="/">
        <Brand />
      </Link>
      <nav aria-label="Screens">
        {usePlaces().map(({ path, title, icon: Icon, letter }) => (
          <Link
            key={path}
            to={path}
            activeOptions={{ exact: path === "/", includeSearch: false }}
            title={`${title} (G ${letter.toUpperCase()})`}
          >
            <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
            <span>{title}</span>
          </Link>
        ))}
      </nav>
      <div className={styles["foot"]}>
        <p>
          <b>{live ? "Live" : "Test"}</b> · {host}
        </p>
        <p>Clock of all pages: UTC</p>
        <Clock />
      </div>
    </aside>
  );
}

function Clock() {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minute / 4);
    return () => clearInterval(timer);
  }, []);
  return (
    <p>
      {inWords.dayAndYear(now)}, {inWords.time(now)}
    </p>
  );
}

export function PhoneBar() {
  const mine = usePlaces();
  const navigate = useNavigate();
  const more = mine.filter(({ onPhone }) => !onPhone);
  return (
    <nav className={styles["phoneBar"]} aria-label="Screens">
      {mine
        .filter(({ onPhone }) => onPhone)
        .map(({ path, title, icon: Icon }) => (
          <Link key={path} to={path} activeOptions={{ exact: path === "/", includeSearch: false }}>
            <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
            {title}
          </Link>
        ))}
      <MenuTrigger>
        <PressButton>
          <Ellipsis size={18} aria-hidden="true" />
          More
        </PressButton>
        <Popover placement="top end" className={styles["menuPopover"] ?? ""}>
          <Menu className={styles["menu"] ?? ""} onAction={(key) => void navigate({ to: String(key) })}>
            {more.map(({ path, title }) => (
              <MenuItem key={path} id={path} className={styles["menuItem"] ?? ""}>
                {title}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
    </nav>
  );
}

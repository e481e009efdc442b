/** A link that leads on without a request: what was typed and chosen stays, and so do version and look. */
import { Button } from "#ui/Button.tsx";
import type { ReactNode } from "react";
import { isPlainClick } from "../clicks.ts";
import { lastStep, showPage } from "../navigation.ts";

interface WayInPlaceProps {
  readonly href: string;
  readonly kind?: "primary" | "secondary" | "link";
  readonly arrow?: boolean;
  /** What is kept before it leads on. */
  readonly before?: () => void;
  readonly children: ReactNode;
}

export function WayInPlace({ href, before, ...look }: WayInPlaceProps) {
  return (
    <Button
      {...look}
      href={href}
      onClick={(click) => {
        if (!isPlainClick(click)) return;
        click.preventDefault();
        before?.();
        // To the page before, go back in the history: otherwise the browser's Back would return here.
        if (lastStep().from === href) history.back();
        else showPage(href);
      }}
    />
  );
}

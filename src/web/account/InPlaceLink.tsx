/** A link that changes pages without a request, so that typed fields, answers, version and theme stay. */
import { Button } from "#ui/Button.tsx";
import type { ReactNode } from "react";
import { isPlainClick } from "../clicks.ts";
import { lastStep, showPage } from "../navigation.ts";

interface WayInPlaceProps {
  readonly href: string;
  readonly kind?: "primary" | "secondary" | "link";
  readonly arrow?: boolean;
  /** Runs before the page changes, to store something. */
  readonly before?: () => void;
  readonly children: ReactNode;
}

export function InPlaceLink({ href, before, ...look }: WayInPlaceProps) {
  return (
    <Button
      {...look}
      href={href}
      onClick={(click) => {
        if (!isPlainClick(click)) return;
        click.preventDefault();
        before?.();
        // The previous page is reached by going back in the history. Otherwise the browser's Back would return here.
        if (lastStep().from === href) history.back();
        else showPage(href);
      }}
    />
  );
}

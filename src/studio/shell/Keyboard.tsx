/** Keys of the whole studio: Ctrl K (palette), / (the screen's search), ? (help of keys), and G with a letter (go to a screen). */
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { isCovered, useKeys } from "./keys.ts";
import { usePlaces } from "./Rail.tsx";

const secondKeyWithinMs = 1_500;

export function Keyboard({ onSearch, onHelp }: { readonly onSearch: () => void; readonly onHelp: () => void }) {
  const navigate = useNavigate();
  const mine = usePlaces();
  const pressed = useRef(Number.NEGATIVE_INFINITY);
  useKeys((key, { timeStamp }) => {
    const after = timeStamp - pressed.current < secondKeyWithinMs;
    pressed.current = key === "g" && !after ? timeStamp : Number.NEGATIVE_INFINITY;
    if (key === "/") {
      const own = document.querySelector<HTMLInputElement>("main input[type=search]");
      if (own === null) onSearch();
      else own.focus();
    }
    if (key === "?") onHelp();
    const place = after ? mine.find(({ letter }) => letter === key) : undefined;
    if (place !== undefined) void navigate({ to: place.path });
    return place !== undefined || key === "/" || key === "?";
  });
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k" || event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (!isCovered()) onSearch();
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, [onSearch]);
  return null;
}

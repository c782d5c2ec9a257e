import { useEffect, useRef } from "react";
import { usesShortcuts } from "./shortcut-choice";

/** What single keys do while this page is shown. Whoever types, or has a dialog open, means something else by them. */
export function useShortcuts(shortcuts: Record<string, () => void>): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  }, [shortcuts]);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const shortcut = latest.current[event.key];
      if (shortcut === undefined || isMeantOtherwise(event) || !usesShortcuts()) return;
      event.preventDefault();
      shortcut();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function isMeantOtherwise(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (document.querySelector("[role=dialog]") !== null) return true;
  return event.target instanceof HTMLElement && event.target.closest("input, select, textarea") !== null;
}

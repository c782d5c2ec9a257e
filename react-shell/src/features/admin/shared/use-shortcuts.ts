import { useEffect, useRef } from "react";
import { areShortcutsEnabled } from "./shortcut-preference";

/** Single-key shortcuts of a page. Inactive in form fields and while a dialog is open. */
export function useShortcuts(shortcuts: Record<string, () => void>): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  }, [shortcuts]);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const shortcut = latest.current[event.key];
      if (shortcut === undefined || shouldIgnoreKey(event) || !areShortcutsEnabled()) return;
      event.preventDefault();
      shortcut();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function shouldIgnoreKey(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey || isTyping(event);
}

/** Whether the key belongs to a form field or a dialog, or was already handled. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || document.querySelector("[role=dialog]") !== null) return true;
  return event.target instanceof HTMLElement && event.target.closest(FIELD) !== null;
}

/** A checkbox takes no text. */
const FIELD = "input:not([type=checkbox]), select, textarea";

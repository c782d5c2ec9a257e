import { useEffect, useRef } from "react";

/** Whether the focus fell back to the document because its element was removed or disabled. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

export function focusPageHeading(): void {
  document.querySelector<HTMLElement>("#page h1")?.focus({ preventScroll: true });
}

/** Moves the focus to the page's heading when a change of `trigger` removes the focused element. */
export function useFocusRestore(trigger: unknown): void {
  const previous = useRef(trigger);
  useEffect(() => {
    if (previous.current === trigger) return;
    previous.current = trigger;
    if (isFocusLost()) focusPageHeading();
  }, [trigger]);
}

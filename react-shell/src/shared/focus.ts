import { useEffect, useRef } from "react";

/** Whether the focus fell back to the document because its element was removed or disabled. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Moves the focus to the heading of a new page, or to the one field that the page is about (`data-autofocus`). */
export function focusPageHeading(): void {
  (findOnPage("[data-autofocus]") ?? findOnPage("h1"))?.focus({ preventScroll: true });
}

function findOnPage(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`#page ${selector}`);
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

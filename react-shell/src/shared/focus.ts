import { useEffect, useRef } from "react";

/** The focus falls to the document when what had it is gone or disabled. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

export function focusPageHeading(): void {
  document.querySelector<HTMLElement>("#page h1")?.focus({ preventScroll: true });
}

/** A button that goes with what it was for takes the focus along: the page's heading gets it. `news` is another then. */
export function useFocusKept(news: unknown): void {
  const known = useRef(news);
  useEffect(() => {
    if (known.current === news) return;
    known.current = news;
    if (isFocusLost()) focusPageHeading();
  }, [news]);
}

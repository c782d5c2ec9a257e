/** Scrolls an element into view. An interrupted scroll is no error, even in browsers that reject its promise. */
export function scrollToElement(element: Element | null | undefined, options?: ScrollIntoViewOptions): void {
  const scrolled: unknown = element?.scrollIntoView(options);
  Promise.resolve(scrolled).catch(() => undefined);
}

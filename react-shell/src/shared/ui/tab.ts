/** CSS classes of a tab that links to its own page. */
export const TAB =
  "-mb-px inline-flex min-h-11 items-center border-b-2 border-transparent px-4 py-2 font-medium text-muted hover:text-ink " +
  "aria-[current=page]:border-glow aria-[current=page]:text-ink";

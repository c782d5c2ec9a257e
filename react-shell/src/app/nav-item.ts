/** The look of everything one can press in the navigation bar. */
export const NAV_ITEM =
  "inline-flex min-h-11 items-center gap-2 rounded-field px-3 py-2 font-medium whitespace-nowrap hover:bg-line/60 " +
  "aria-[current=page]:text-glow-ink aria-[current=page]:underline aria-[current=page]:underline-offset-8";

/** The look of everything one can press in the navigation bar. */
export const NAV_ITEM =
  "inline-flex min-h-11 items-center gap-1.5 rounded-field px-2 py-2 font-medium whitespace-nowrap sm:gap-2 sm:px-3 hover:bg-line/60 " +
  "aria-[current=page]:text-glow-ink aria-[current=page]:underline aria-[current=page]:underline-offset-8";

import { useState, type FocusEvent } from "react";

interface Hold {
  isHeld: boolean;
  /** Props of the element. */
  holdProps: {
    onPointerEnter: () => void;
    onPointerLeave: () => void;
    onFocus: () => void;
    onBlur: (event: FocusEvent) => void;
  };
}

/**
 * Whether the pointer or the focus is inside of an element. The timer of a notice stops meanwhile (WCAG 2.2.1) and starts
 * again afterward, so that nobody loses what they are reading or about to press.
 */
export function useHold(): Hold {
  const [hasPointer, setPointer] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  return {
    isHeld: hasPointer || hasFocus,
    holdProps: {
      onPointerEnter: () => setPointer(true),
      onPointerLeave: () => setPointer(false),
      onFocus: () => setFocus(true),
      onBlur: ({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget)),
    },
  };
}

import { useContext, useEffect, useMemo, useState } from "react";
import {
  ScrollRestoration as RouterScrollRestoration,
  UNSAFE_DataRouterStateContext as RouterState,
} from "react-router";
import { wasServerRendered } from "../shared/first-paint";

/**
 * Scrolls to the top of a new page, and to where the visitor was on one that they return to. A document that the server
 * rendered keeps its position when the shell starts: the browser has restored it, and the visitor may have scrolled
 * since. The router has no option for this, so its first state says that there is nothing to restore.
 */
export function ScrollRestoration() {
  const state = useContext(RouterState);
  const [first] = useState(state?.location);
  const [hasLeft, setLeft] = useState(!wasServerRendered());
  if (state?.location !== first && !hasLeft) setLeft(true);
  const restored = useMemo(
    () => (state === null || hasLeft ? state : { ...state, restoreScrollPosition: false as const }),
    [state, hasLeft],
  );
  // The browser may not have restored the position yet. The router's own effect has set `manual` before this one.
  useEffect(() => {
    window.history.scrollRestoration = hasLeft ? "manual" : "auto";
  }, [hasLeft]);
  return (
    <RouterState.Provider value={restored}>
      <RouterScrollRestoration />
    </RouterState.Provider>
  );
}

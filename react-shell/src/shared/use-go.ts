import { useCallback, useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { loadDocument } from "./document-navigation";
import { needsDocument } from "./paths";

/** Goes to a page of the shop, by loading a document where the policies differ. */
export function useGo(): (to: string) => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return useCallback(
    (to: string) => {
      if (needsDocument(pathname, to)) return loadDocument(to);
      void navigate(to);
    },
    [navigate, pathname],
  );
}

/** Goes there after a while; undefined means stay. */
export function useGoLater(to: string | undefined, afterMs: number): void {
  const go = useGo();
  useEffect(() => {
    if (to === undefined) return;
    const timer = setTimeout(() => go(to), afterMs);
    return () => clearTimeout(timer);
  }, [to, afterMs, go]);
}

import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** Loads the page again when another link is pasted into the same tab and only its fragment differs. */
export function useOtherLink(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const load = () => void revalidate();
    window.addEventListener("hashchange", load);
    return () => window.removeEventListener("hashchange", load);
  }, [revalidate]);
}

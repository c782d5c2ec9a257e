import { useEffect } from "react";
import { paths } from "./paths";

const SCRIPT = "/service-worker.js";
/** The pages that work without a network, and those below them. */
const SCOPES = [paths.scheduleLab, paths.tutorial, paths.recipes];
/** Registering starts downloads, which must not compete with the page's own. */
const DELAY_MS = 3_000;

/** Lets the pages of the Lab work without a network from the next visit on, where the browser allows it. */
export function useOfflinePages(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const scope of SCOPES) register(scope).catch(() => undefined);
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
}

async function register(scope: string): Promise<void> {
  // Missing on an insecure origin.
  const registration = await navigator.serviceWorker?.register(SCRIPT, { scope });
  // The browser looks for a new version only in the scope that is visited, and the scopes share a cache.
  await registration?.update();
}

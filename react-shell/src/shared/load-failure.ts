import { ApiError, NetworkError } from "./api-client";

const failedImports = new WeakSet<object>();

/** Remembers route modules that could not be loaded: their errors have another type and text in each browser. */
export function recordFailedImports(): void {
  window.addEventListener("vite:preloadError", ({ payload }) => failedImports.add(payload));
}

/** Whether a page failed because something was not loaded, as opposed to a defect of the page. */
export function isLoadFailure(error: unknown): boolean {
  if (error instanceof ApiError || error instanceof NetworkError) return true;
  return error instanceof Error && failedImports.has(error);
}

/**
 * Marks a loader's promise as handled. The page renders before it settles and shows a failure itself, so a rejection
 * before that is not unhandled.
 */
export function deferred<T>(data: Promise<T>): Promise<T> {
  data.catch(() => undefined);
  return data;
}

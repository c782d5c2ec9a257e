/** Largest number of orders in a request that changes them; the server's limit is 200. */
const BATCH_SIZE = 100;

/**
 * Sends items in batches, one after the other, and reports after each how many are done. Stops at the first failure.
 */
export async function sendInBatches<T>(
  items: readonly T[],
  send: (batch: T[]) => Promise<void>,
  onProgress: (done: number) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    const batch = items.slice(start, start + BATCH_SIZE);
    // oxlint-disable-next-line no-await-in-loop -- the next batch waits, so that other requests come in between
    await send(batch);
    onProgress(start + batch.length);
  }
}

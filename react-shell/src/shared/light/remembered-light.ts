// The light from the last visit. Only IndexedDB can store the handle of a folder.

const DATABASE = "light";
const STORE = "drives";
const KEY = "last";

export interface RememberedLight {
  drive: FileSystemDirectoryHandle;
  serial: string;
}

/** The light from the last visit, if the browser remembers it. */
export async function recallLight(): Promise<RememberedLight | undefined> {
  try {
    return await inStore<RememberedLight | undefined>("readonly", (store) => store.get(KEY));
  } catch {
    // The browser blocks storage.
    return undefined;
  }
}

export async function rememberLight(light: RememberedLight): Promise<void> {
  try {
    await inStore("readwrite", (store) => store.put(light, KEY));
  } catch {
    // The light is chosen again on the next visit.
  }
}

async function inStore<T>(mode: IDBTransactionMode, action: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await opened();
  try {
    return await settled(action(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener("upgradeneeded", () => {
    request.result.createObjectStore(STORE);
  });
  return settled(request);
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("IndexedDB failed.")));
  });
}

import url from "../../../wasm-core/data/common-passwords.txt?url";

let list = "";
let loading: Promise<void> | undefined;

/** Loads the list of common passwords once. Without it, only the server rejects a common password. */
export function loadCommonPasswords(): void {
  loading ??= load().catch(() => {
    loading = undefined;
  });
}

/** The most common passwords, one per line; empty until the list has loaded. */
export function commonPasswords(): string {
  return list;
}

async function load(): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The list of common passwords could not be loaded: status ${response.status}.`);
  list = await response.text();
}

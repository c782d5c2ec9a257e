import address from "../../../wasm-core/data/common-passwords.txt?url";

let list = "";
let loading: Promise<void> | undefined;

/** Loads the list once, for those who choose a password. Without it the server alone says that one is too common. */
export function loadCommonPasswords(): void {
  loading ??= load().catch(() => {
    loading = undefined;
  });
}

/** The commonest passwords, one a line; the empty text until they are there. */
export function commonPasswords(): string {
  return list;
}

async function load(): Promise<void> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The list of common passwords answered ${answer.status}.`);
  list = await answer.text();
}

import type { ShopConfig } from "./shop-config";
import { localStore } from "./storage";

const KEY = "passkeyOffer";

/** Whether this page may use passkeys: they belong to one origin, and old browsers have none. */
export function offersPasskeys({ passkey_origin: origin }: ShopConfig): boolean {
  return origin === location.origin && "PublicKeyCredential" in globalThis;
}

/** Whether this browser's customer knows passkeys, or doesn't want one. */
export function isPasskeyOfferOver(): boolean {
  return localStore.getItem(KEY) !== null;
}

export function endPasskeyOffer(): void {
  localStore.setItem(KEY, "over");
}

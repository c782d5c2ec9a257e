import type { ShopConfig } from "./shop-config";

/** Whether this page may use passkeys: they belong to one origin, and old browsers have none. */
export function offersPasskeys({ passkey_origin: origin }: ShopConfig): boolean {
  return origin === location.origin && "PublicKeyCredential" in globalThis;
}

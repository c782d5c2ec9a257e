import { localStore } from "../../shared/storage";

const KEY = "deviceToken";

/**
 * Shows the shop that somebody has logged in with this browser before, so that strangers who guess at the account do
 * not keep its owner waiting. It opens nothing, and stays when one logs out.
 */
export function withDevice<T extends object>(body: T): T & { deviceToken?: string } {
  const deviceToken = localStore.getItem(KEY);
  return deviceToken === null ? body : { ...body, deviceToken };
}

export function keepDevice(token: string): void {
  localStore.setItem(KEY, token);
}

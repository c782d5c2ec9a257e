import { localStore } from "../../shared/storage";

const KEY = "deviceToken";

/**
 * Adds the device token to a request: this browser has logged in before, so that a brute-force attack on the account
 * does not lock out its owner. The token grants no access and survives a logout.
 */
export function withDeviceToken<T extends object>(body: T): T & { device_token?: string } {
  const deviceToken = localStore.getItem(KEY);
  return deviceToken === null ? body : { ...body, device_token: deviceToken };
}

export function saveDeviceToken(token: string): void {
  localStore.setItem(KEY, token);
}

import { expect, test } from "vitest";
import { deviceName } from "./device-name";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36", "Chrome on Linux"],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/156.0 Safari/537.36 Edg/156.0", "Edge on Windows"],
  ["Mozilla/5.0 (Linux; Android 16) Gecko/147.0 Firefox/147.0", "Firefox on Android"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1", "Safari on iPhone"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1", "Safari on Mac"],
  ["curl/8.9.1", "curl/8.9.1"],
  ["  ", "Unknown device"],
])("%s is %s", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

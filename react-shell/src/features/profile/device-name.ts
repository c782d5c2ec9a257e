// Browsers name each other: the one that says least about others is looked for last.
const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;

const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "Mac"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** A device as its owner knows it, from what its browser calls itself. What is not a browser keeps its own name. */
export function deviceName(userAgent: string): string {
  const browser = BROWSERS.find(([sign]) => userAgent.includes(sign))?.[1];
  const system = SYSTEMS.find(([sign]) => userAgent.includes(sign))?.[1];
  const name = [browser, system].filter((part) => part !== undefined).join(" on ");
  return name || userAgent.trim() || "Unknown device";
}

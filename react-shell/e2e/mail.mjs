import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** @typedef {import("./shop.mjs").Shop} Shop */

const TIMEOUT_MS = 20_000;

/**
 * Waits for an email that matches, newest first. Returns the match.
 *
 * @param {Shop} shop
 * @param {string} to
 * @param {RegExp} wanted
 */
export function waitForMail(shop, to, wanted) {
  return poll(`an email to ${to} that matches ${wanted}`, async () => {
    const texts = (await messagesIn(shop, `-${to}.eml`)).map((message) => partOf(message, "text/plain"));
    return texts.map((text) => wanted.exec(text)).find((match) => match !== null);
  });
}

/** Waits for the six-digit code in an email. @param {Shop} shop @param {string} to */
export async function waitForCode(shop, to) {
  const [code] = await waitForMail(shop, to, /(?<![\d-])\d{6}(?![\d-])/);
  return code;
}

/** Waits for at least `count` emails and returns the HTML document of each. @param {Shop} shop @param {number} count */
export async function waitForDocuments(shop, count) {
  const messages = await poll(`${count} emails`, async () => {
    const found = await messagesIn(shop, ".eml");
    return found.length >= count ? found : undefined;
  });
  return messages.map((message) => partOf(message, "text/html"));
}

/**
 * Calls `look` until it returns a value.
 *
 * @template T
 * @param {string} wanted for the error message
 * @param {() => Promise<T | undefined>} look
 */
async function poll(wanted, look) {
  const end = Date.now() + TIMEOUT_MS;
  while (Date.now() < end) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(200);
  }
  throw new Error(`There is no ${wanted} after ${TIMEOUT_MS / 1000} s.`);
}

/** Newest first. @param {Shop} shop @param {string} end of the file name */
async function messagesIn({ mailFolder }, end) {
  const names = (await readdir(mailFolder).catch(() => [])).filter((name) => name.endsWith(end));
  const files = names.toSorted().toReversed();
  return Promise.all(files.map((name) => readFile(join(mailFolder, name), "utf8")));
}

/** The decoded part of a message with this content type. @param {string} message @param {string} kind */
function partOf(message, kind) {
  // The HTML and its pictures are a part with parts of its own.
  const boundaries = [...message.matchAll(/boundary="?([^"\r\n;]+)"?/gi)].map(([, boundary]) => `--${boundary}`);
  const parts = boundaries.reduce((found, boundary) => found.flatMap((text) => text.split(boundary)), [message]);
  const part = parts.find((text) => text.toLowerCase().includes(`content-type: ${kind}`)) ?? message;
  const [head = "", ...body] = part.split(/\r?\n\r?\n/);
  return decode(body.join("\n\n"), head);
}

/** @param {string} body @param {string} head */
function decode(body, head) {
  if (/encoding: base64/i.test(head)) return Buffer.from(body, "base64").toString("utf8");
  if (!/encoding: quoted-printable/i.test(head)) return body;
  const bytes = body
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { required } from "./browser.mjs";

const MAIL_DIR = required("SHOP_MAIL_DIR");
const PATIENCE_MS = 20_000;

/**
 * The newest mail to somebody whose text matches, as soon as it is there; gives the match.
 *
 * @param {string} to
 * @param {RegExp} wanted
 */
export async function waitForMail(to, wanted) {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (Date.now() < giveUpAt) {
    for (const text of await mailsTo(to)) {
      const match = wanted.exec(text);
      if (match) return match;
    }
    await sleep(200);
  }
  throw new Error(`No mail to ${to} matches ${wanted}.`);
}

/** The code of six digits that was sent to somebody. @param {string} to */
export async function waitForCode(to) {
  const [code] = await waitForMail(to, /(?<![\d-])\d{6}(?![\d-])/);
  return code;
}

/** @param {string} to */
async function mailsTo(to) {
  const names = (await readdir(MAIL_DIR).catch(() => [])).filter((name) => name.endsWith(`-${to}.eml`));
  const files = names.toSorted().toReversed();
  return Promise.all(files.map(async (name) => plainText(await readFile(join(MAIL_DIR, name), "utf8"))));
}

/** Every mail in a folder, as the document that a mail program shows. @param {string} folder */
export async function documentsIn(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".eml"));
  return Promise.all(names.map(async (name) => partOf(await readFile(join(folder, name), "utf8"), "text/html")));
}

/** The text/plain part of a message, decoded. @param {string} message */
function plainText(message) {
  return partOf(message, "text/plain");
}

/** @param {string} message @param {string} kind */
function partOf(message, kind) {
  const [, boundary] = /boundary="?([^"\r\n;]+)"?/i.exec(message) ?? [];
  const parts = boundary === undefined ? [message] : message.split(`--${boundary}`);
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

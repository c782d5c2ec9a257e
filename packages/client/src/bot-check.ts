import { ShopError } from "./error.js";
import type { Methods } from "./methods.js";

type Signal = AbortSignal | null;

/**
 * Solves the shop's proof of work for a login, which takes about a second. Undefined for a shop with another bot check,
 * or none.
 */
export async function solveBotCheck({ get }: Methods, signal: Signal): Promise<string | undefined> {
  const init = { params: { query: { action: "login" } }, signal } as const;
  const proof = await get("/api/bot-check", init).catch((error: unknown) => {
    if (error instanceof ShopError && error.is("NotFound")) return undefined;
    throw error;
  });
  if (!proof) return undefined;
  const { algorithm, challenge, salt, signature } = proof;
  const number = await search(proof, signal);
  return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
}

interface Challenge {
  challenge: string;
  salt: string;
  maxnumber: number;
}

/** The number whose hash with the salt is the challenge. */
async function search({ challenge, salt, maxnumber }: Challenge, signal: Signal): Promise<number> {
  const encoder = new TextEncoder();
  for (let number = 0; number <= maxnumber; number += 1) {
    signal?.throwIfAborted();
    const hash = await crypto.subtle.digest("SHA-256", encoder.encode(`${salt}${number}`));
    if (toHex(hash) === challenge) return number;
  }
  throw new Error("The bot check has no solution.");
}

function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

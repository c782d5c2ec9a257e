/** Claims of the shop's access token. The browser only displays them; the server verifies the signature. */
interface Claims {
  userId: string;
  email: string;
  groups: string[];
  /** Seconds since the Unix epoch, by the server's clock. */
  issuedAt: number;
  expiresAt: number;
}

/** Decodes the claims of a JWT; undefined for a malformed token. */
export function readClaims(token: string): Claims | undefined {
  const payload = token.split(".")[1];
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(decodeBase64Url(payload));
    return isPayload(claims)
      ? { userId: claims.sub, email: claims.email, groups: claims.groups, issuedAt: claims.iat, expiresAt: claims.exp }
      : undefined;
  } catch {
    return undefined;
  }
}

interface Payload {
  sub: string;
  email: string;
  groups: string[];
  iat: number;
  exp: number;
}

function isPayload(value: unknown): value is Payload {
  if (typeof value !== "object" || value === null) return false;
  const { sub, email, groups, iat, exp } = value as Partial<Payload>;
  const hasIdentity = typeof sub === "string" && typeof email === "string";
  return hasIdentity && Array.isArray(groups) && typeof iat === "number" && typeof exp === "number";
}

function decodeBase64Url(text: string): string {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0));
}

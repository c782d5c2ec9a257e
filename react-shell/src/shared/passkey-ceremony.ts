import type { Schema } from "./api-types";

type Options = Schema<"PasskeyCeremony">["options"];
/** A response in the JSON form of WebAuthn, which the shop's API describes as an object. */
type CredentialJson = Schema<"PasskeyLogInRequest">["credential"];

/** The parts of WebAuthn's JSON forms that the shop sends. */
interface CreationJson extends PublicKeyCredentialCreationOptionsJSON {
  excludeCredentials: PublicKeyCredentialDescriptorJSON[];
}

/** Creates a passkey on this device, and returns it in the JSON form of WebAuthn. */
export async function createPasskey(options: Options): Promise<CredentialJson> {
  const publicKey = creationOptions(options as unknown as CreationJson);
  return toJson(await navigator.credentials.create({ publicKey }));
}

interface GetOptions {
  /** `conditional`: as a suggestion of the email field. */
  mediation?: CredentialMediationRequirement;
  signal: AbortSignal;
}

/** Signs with a passkey that the customer chooses, and returns the response in the JSON form of WebAuthn. */
export async function getPasskey(options: Options, request: GetOptions): Promise<CredentialJson> {
  const publicKey = requestOptions(options as unknown as PublicKeyCredentialRequestOptionsJSON);
  return toJson(await navigator.credentials.get({ publicKey, ...request }));
}

/** Whether the customer closed the browser's dialog, or the page ended the request. */
export function isCanceled(error: unknown): boolean {
  return error instanceof DOMException && ["NotAllowedError", "AbortError"].includes(error.name);
}

/** A message for a passkey that was not created; undefined if the customer closed the browser's dialog. */
export function creationFailure(error: unknown): string | undefined {
  if (isCanceled(error)) return undefined;
  if (error instanceof DOMException && error.name === "InvalidStateError")
    return "This device already has a passkey for your account.";
  return "This device couldn’t create a passkey.";
}

function creationOptions(options: CreationJson): PublicKeyCredentialCreationOptions {
  if ("parseCreationOptionsFromJSON" in PublicKeyCredential) {
    return PublicKeyCredential.parseCreationOptionsFromJSON(options);
  }
  const { challenge, user, excludeCredentials } = options;
  return {
    ...(options as object as PublicKeyCredentialCreationOptions),
    challenge: decode(challenge),
    user: { ...user, id: decode(user.id) },
    excludeCredentials: excludeCredentials.map(({ id }) => ({ type: "public-key", id: decode(id) })),
  };
}

function requestOptions(options: PublicKeyCredentialRequestOptionsJSON): PublicKeyCredentialRequestOptions {
  if ("parseRequestOptionsFromJSON" in PublicKeyCredential) {
    return PublicKeyCredential.parseRequestOptionsFromJSON(options);
  }
  const parsed = options as object as PublicKeyCredentialRequestOptions;
  return { ...parsed, challenge: decode(options.challenge), allowCredentials: [] };
}

function toJson(credential: Credential | null): CredentialJson {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException("No passkey was chosen.", "NotAllowedError");
  if ("toJSON" in credential) return credential.toJSON() as object as CredentialJson;
  const { id, rawId, type, response } = credential as PublicKeyCredential;
  const json: object = { id, rawId: encode(rawId), type, clientExtensionResults: {}, response: responseJson(response) };
  return json as CredentialJson;
}

function responseJson(response: AuthenticatorResponse): Record<string, unknown> {
  const clientDataJSON = encode(response.clientDataJSON);
  if (response instanceof AuthenticatorAttestationResponse) {
    return {
      clientDataJSON,
      attestationObject: encode(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    };
  }
  const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse;
  return {
    clientDataJSON,
    authenticatorData: encode(authenticatorData),
    signature: encode(signature),
    userHandle: userHandle === null ? null : encode(userHandle),
  };
}

function encode(buffer: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
}

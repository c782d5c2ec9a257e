import { ApiError, request, requestFile, type Method, type NamedFile, type RequestOptions } from "./api-client";
import { redirectFrom } from "./document-navigation";
import { paths } from "./paths";
import { saveReturnPath, saveReturnPathAfterExpiry } from "./return-path";
import { session, type SignedIn } from "./session";
import { uploadFile, type UploadOptions } from "./upload-file";

/** Sends a JSON request with the access token. */
export function authorizedRequest<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  return withToken((token) => request<T>(method, path, { ...options, token }));
}

/** Downloads a file with the access token, which a plain link would not send. */
export function authorizedFileRequest(path: string): Promise<NamedFile> {
  return withToken((token) => requestFile(path, { token }));
}

/** Uploads a file with the access token. */
export function authorizedUpload<T>(path: string, file: File, options: Omit<UploadOptions, "token">): Promise<T> {
  return withToken((token) => uploadFile<T>(path, file, { ...options, token }));
}

/**
 * Refreshes the tokens after a 401 (the token expired or its session was revoked) and retries the request once. A
 * rejected refresh ends the session.
 */
async function withToken<T>(send: (token: string | undefined) => Promise<T>): Promise<T> {
  const token = session.accessToken();
  try {
    return await send(token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || error.code === "TotpRequired") throw error;
    await session.refresh();
    const renewed = session.accessToken();
    if (renewed === undefined || renewed === token) throw error;
    return send(renewed);
  }
}

/** Route guard: returns the customer, or redirects to the login page and saves the return path. */
export function requireSignedIn(loaderRequest: Request): SignedIn {
  const state = session.state();
  if (state.kind === "signed-in") return state;
  const { pathname, search } = new URL(loaderRequest.url);
  const save = state.wasEnded ? saveReturnPathAfterExpiry : saveReturnPath;
  save(pathname + search);
  throw redirectFrom(loaderRequest, paths.login);
}

/** Route guard of the admin area: redirects visitors and customers to the login page. */
export function requireAdmin(loaderRequest: Request): SignedIn {
  const state = requireSignedIn(loaderRequest);
  if (state.isAdmin) return state;
  throw redirectFrom(loaderRequest, paths.login);
}

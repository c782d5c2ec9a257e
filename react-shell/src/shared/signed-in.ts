import { ApiError, request, requestFile, type CallOptions, type Method } from "./api-client";
import { redirectFrom } from "./document-navigation";
import { paths } from "./paths";
import { rememberLoggedOutAt, rememberReturnPath } from "./return-path";
import { session, type SignedIn } from "./session";

/** One call as the person who is logged in. */
export function requestSignedIn<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  return withToken((token) => request<T>(method, path, { ...options, token }));
}

/** A file for the person who is logged in. A link could not fetch it: it would not say who asks. */
export function requestFileSignedIn(path: string): Promise<Blob> {
  return withToken((token) => requestFile(path, { token }));
}

/**
 * A request refused with 401, because the token expired or its session was ended elsewhere, refreshes the tokens and is
 * retried once. A refresh that is refused ends the session.
 */
async function withToken<T>(call: (token: string | undefined) => Promise<T>): Promise<T> {
  const token = session.accessToken();
  try {
    return await call(token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    await session.refresh();
    const renewed = session.accessToken();
    if (renewed === undefined || renewed === token) throw error;
    return call(renewed);
  }
}

/** For loaders: who is logged in, or on to the log-in page, from where the way leads back here. */
export function requireSignedIn(at: Request): SignedIn {
  const state = session.state();
  if (state.kind === "signed-in") return state;
  const { pathname, search } = new URL(at.url);
  const remember = state.wasEnded ? rememberLoggedOutAt : rememberReturnPath;
  remember(pathname + search);
  throw redirectFrom(at, paths.login);
}

/** For loaders of the admin area: everybody else is sent to the log-in page. */
export function requireAdmin(at: Request): SignedIn {
  const state = requireSignedIn(at);
  if (state.isAdmin) return state;
  throw redirectFrom(at, paths.login);
}

import openapiFetch from "openapi-fetch";
import type { Client, ClientPathsWithMethod, FetchResponse, MaybeOptionalInit } from "openapi-fetch";
import { invalidResponse } from "./error.js";
import type { paths } from "./openapi.js";
import type { Fetch } from "./retry.js";

type Method = "get" | "post" | "patch" | "delete";

type Data<Operation extends Record<string, unknown>, Init> = Extract<
  FetchResponse<Operation, Init, `${string}/${string}`>,
  { error?: never }
>["data"];

/** `Paths` is a parameter, so that the compiler resolves a call's path alone: all paths together are too complex for it. */
type SendTo<Paths extends Record<string, any>, M extends Method> = <
  Path extends ClientPathsWithMethod<Client<Paths>, M>,
  Init extends MaybeOptionalInit<Paths[Path], M>,
>(
  path: Path,
  ...options: undefined extends Init ? [options?: Init] : [options: Init]
) => Promise<Data<Paths[Path][M], Init>>;

/**
 * Sends a request to a path of the API and returns the body of the response. Rejects with a `ShopError`, or with the
 * signal's reason if `signal` aborts.
 */
type Send<M extends Method> = SendTo<paths, M>;

/** The HTTP methods of the API. Paths, parameters, bodies and responses have the types of the OpenAPI document. */
export interface Methods {
  get: Send<"get">;
  post: Send<"post">;
  patch: Send<"patch">;
  delete: Send<"delete">;
}

interface Options {
  params?: { path?: Record<string, unknown> };
  parseAs?: "arrayBuffer" | "blob" | "json" | "stream" | "text";
}

// As CommonJS, Node.js imports the whole module as the default export.
const createClient = (openapiFetch as { default?: typeof openapiFetch }).default ?? openapiFetch;

export function createMethods(baseUrl: string, fetch: Fetch): Methods {
  const client = createClient<Record<string, Record<string, object>>>({ baseUrl });
  const method = (name: string) => async (path: string, options?: Options) => {
    if (typeof path !== "string" || !path.startsWith("/")) {
      throw new TypeError(`path: expected a path of the API like /api/products, got ${JSON.stringify(path)}`);
    }
    for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
      if (options?.params?.path?.[name as string] === undefined) {
        throw new TypeError(`params.path.${name}: expected a value for ${path}`);
      }
    }
    // The access token goes to this shop alone, so a request can't have a base URL of its own.
    const init = { ...options, method: name, baseUrl, fetch, parseAs: "stream" };
    const { response } = await client.request(name as "get", path as never, init as never);
    return readBody(response, options?.parseAs ?? "json");
  };
  const methods = { get: method("get"), post: method("post"), patch: method("patch"), delete: method("delete") };
  return methods as unknown as Methods;
}

async function readBody(response: Response, parseAs: NonNullable<Options["parseAs"]>): Promise<unknown> {
  if (response.status === 204) return undefined;
  if (parseAs === "stream") return response.body;
  return response[parseAs]().catch((error: unknown) => {
    throw (error as Error).name === "AbortError" ? error : invalidResponse(response.status, error);
  });
}

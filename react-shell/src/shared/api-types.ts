/** Request and response types by path, from the OpenAPI document. */
import type { components, paths } from "../generated/openapi";

export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

type Json = "application/json";
type Operation<Path extends keyof paths, Method extends string> = Method extends keyof paths[Path]
  ? paths[Path][Method]
  : never;

/** The body of a request. */
export type RequestBody<Path extends keyof paths, Method extends string = "post"> =
  Operation<Path, Method> extends { requestBody: { content: Record<Json, infer Content> } } ? Content : never;

/** The body of a 200 or 201 response. */
export type ResponseBody<Path extends keyof paths, Method extends string = "get"> =
  Operation<Path, Method> extends { responses: infer Responses }
    ? Responses extends { 200: { content: Record<Json, infer Content> } }
      ? Content
      : Responses extends { 201: { content: Record<Json, infer Content> } }
        ? Content
        : never
    : never;

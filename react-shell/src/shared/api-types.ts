/** What the server takes and gives, by the path of the call: from the description that the server makes of itself. */
import type { components, paths } from "../generated/openapi";

export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

type Json = "application/json";
type Operation<Path extends keyof paths, Method extends string> = Method extends keyof paths[Path]
  ? paths[Path][Method]
  : never;

/** The body a call takes. */
export type Body<Path extends keyof paths, Method extends string = "post"> =
  Operation<Path, Method> extends { requestBody: { content: Record<Json, infer Sent> } } ? Sent : never;

/** The body of a call's answer when it did what was asked. */
export type Answer<Path extends keyof paths, Method extends string = "get"> =
  Operation<Path, Method> extends { responses: infer Responses }
    ? Responses extends { 200: { content: Record<Json, infer Given> } }
      ? Given
      : Responses extends { 201: { content: Record<Json, infer Given> } }
        ? Given
        : never
    : never;

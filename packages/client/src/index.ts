/**
 * A typed client of a Nudgelight shop's HTTP API.
 *
 * @example
 * import { createShop } from "@nudgelight/client";
 *
 * const shop = createShop({ baseUrl: "https://shop.example" });
 * for (const { name, price } of await shop.get("/api/products")) console.log(name, price);
 *
 * @module
 */
export { createShop } from "./shop.js";
export type { LoginOptions, RequestOptions, Shop, ShopOptions } from "./shop.js";
export { ShopError } from "./error.js";
export type { ErrorCode, ErrorDetails } from "./error.js";
export type { Tokens, TokenStorage } from "./session.js";
export type { Methods } from "./methods.js";
export type { components, operations, paths } from "./openapi.js";

import type { components } from "./openapi.js";

/** A type of the API by its name in the OpenAPI document, such as `Schema<"Product">`. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

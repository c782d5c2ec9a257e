// A client that knows only the OpenAPI document: typed calls, and responses validated against its schemas.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";
import createClient from "openapi-fetch";
import { test } from "./fixtures.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";

/** @typedef {import("../src/generated/openapi").paths} Paths */
/** @typedef {import("../src/generated/openapi").components["schemas"]["ProofOfWork"]} ProofOfWork */
/** @typedef {import("ajv").ValidateFunction} ValidateFunction */

const CUSTOMER = "customer@nudgelight.example";
/** @type {import("openapi-fetch").Client<Paths>} */
let shop;

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** The validator of a schema in the OpenAPI document. @param {string} schema @returns {ValidateFunction} */
function validator(schema) {
  const found = ajv.getSchema(`shop#/components/schemas/${schema}`);
  assert.ok(found, schema);
  return found;
}

/** Solves the proof-of-work challenge. @param {ProofOfWork} challenge */
function solved({ algorithm, challenge, salt, maxnumber, signature }) {
  for (let number = 0; number <= maxnumber; number += 1) {
    const hash = createHash("sha256").update(`${salt}${number}`).digest("hex");
    if (hash === challenge) {
      return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature })).toString("base64");
    }
  }
  throw new Error("the challenge has no solution");
}

/**
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {unknown[]} [examples]
 * @property {unknown[]} [enum]
 * @property {string | string[]} [type]
 * @property {Schema} [items]
 * @property {Record<string, Schema>} [properties]
 *
 * @typedef {{ schema: Schema, example?: unknown }} Media
 * @typedef {{ content?: Record<string, Media> }} Content
 * @typedef {{ requestBody?: Content, responses: Record<string, Content> }} Operation
 * @typedef {object} Description
 * @property {Record<string, Record<string, Operation>>} paths
 * @property {{ schemas: Record<string, Schema> }} components
 */

/** The example of a schema, composed from those of its members. @param {Schema} schema @param {Description} document @returns {unknown} */
function exampleOf(schema, document) {
  if (schema.examples) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  if (schema.type === "boolean") return true;
  if (schema.items) return [exampleOf(schema.items, document)];
  const named = document.components.schemas[schema.$ref?.split("/").pop() ?? ""];
  if (named) return exampleOf(named, document);
  assert.equal(schema.type, "object", `no example: ${JSON.stringify(schema)}`);
  const members = Object.entries(schema.properties ?? {});
  return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member, document)]));
}

test.beforeAll(async ({ baseURL }) => {
  shop = createClient({ baseUrl: baseURL ?? "" });
  const { data } = await shop.GET("/openapi.json");
  ajv.addSchema({ ...data, $id: "shop" });
});

test.describe("a typed client", () => {
  let token = "";

  test.beforeAll(async () => {
    const { data: challenge } = await shop.GET("/api/bot-check", { params: { query: { action: "login" } } });
    assert.ok(challenge);
    const credentials = { username: CUSTOMER, password: DEMO_PASSWORD };
    const { data } = await shop.POST("/api/auth/login", {
      body: { ...credentials, recaptchaToken: solved(challenge) },
    });
    token = data?.accessToken ?? "";
    assert.notEqual(token, "");
  });

  test("reads the catalog without an account", async () => {
    const { data } = await shop.GET("/api/products");
    const one = data?.find((product) => product.name === "Nudgelight One");
    assert.equal(one?.price, 24.99);
  });

  test("sees its own orders with a token, and learns by name what is refused without", async () => {
    const headers = { authorization: `Bearer ${token}` };
    const { data } = await shop.GET("/api/user/orders", { headers });
    assert.ok(Array.isArray(data?.orders));
    const { error, response } = await shop.GET("/api/user/orders");
    assert.equal(response.status, 401);
    assert.equal(error?.code, "Unauthenticated");
  });

  test("is told which field of a body is wrong", async () => {
    const { error } = await shop.POST("/api/auth/confirm-email", { body: { username: "kit", code: "12" } });
    assert.equal(error?.code, "InvalidRequest");
    assert.ok(error.fields?.["username"]);
  });

  test("reads from an error what its code promises", async () => {
    const headers = { authorization: `Bearer ${token}` };
    const { data: product } = await shop.GET("/api/products/{id}", { params: { path: { id: "nudgelight-halo" } } });
    assert.ok(product);
    const place = { line1: "12 Lamp Street", city: "Brightwater", state: "CA", postal_code: "94110", country: "US" };
    const { error, response } = await shop.POST("/api/payments/create-intent", {
      headers,
      body: {
        currency: "usd",
        shippingAddress: { name: "Ada Lovelace", address: place },
        items: [{ product_id: product.id, quantity: product.available + 1 }],
      },
    });
    assert.equal(response.status, 409);
    if (error?.code !== "InsufficientStockError") assert.fail(JSON.stringify(error));
    const { available, ...rest } = error.details;
    assert.deepEqual(rest, { product: product.name, requested: product.available + 1 });
    // Less than the stock if the account has another checkout open.
    assert.ok(available > 0 && available <= product.available, String(available));
    assert.ok(validator("Error")(error));
  });
});

test.describe("a validator of JSON Schema", () => {
  test("takes every price and weight below 200 as it stands on the wire", async () => {
    const [money, weight, input, patch] = ["Money", "Weight", "ProductInput", "ProductPatch"].map(validator);
    const product = { name: "Nova", description: "New.", stock: 5, weight_pounds: 0.6 };
    const refused = [];
    for (let cents = 1; cents < 20_000; cents += 1) {
      const dollars = Number(`${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, "0")}`);
      const asWeight = dollars <= 150 ? dollars : 150;
      const taken =
        money?.(dollars) &&
        weight?.(dollars) &&
        input?.({ ...product, price: dollars, weight_pounds: asWeight }) &&
        patch?.({ price: dollars, weight_pounds: asWeight });
      if (!taken) refused.push(dollars);
    }
    assert.deepEqual(refused, []);
  });

  test("refuses a price out of bounds, and takes the whole catalog", async () => {
    const input = validator("ProductInput");
    const product = { name: "Nova", description: "New.", stock: 5, weight_pounds: 0.6 };
    for (const price of [0, -1, 100_000, "9.95", null]) assert.equal(input({ ...product, price }), false, `${price}`);
    const { data } = await shop.GET("/api/products");
    assert.ok(data && data.length > 0);
    for (const one of data) assert.ok(validator("Product")(one), JSON.stringify(one));
  });

  test("can use every schema of the description", async () => {
    const { data } = await shop.GET("/openapi.json");
    const { components } = /** @type {{ components: { schemas: object } }} */ (data);
    const names = Object.keys(components.schemas);
    assert.ok(names.length > 40);
    for (const name of names) assert.equal(typeof validator(name), "function");
  });

  test("accepts the example of every body and successful response", async () => {
    const { data } = await shop.GET("/openapi.json");
    const document = /** @type {Description} */ (data);
    let checked = 0;
    for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
      const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
      for (const content of [operation.requestBody, ...successes.map(([, response]) => response)]) {
        const media = content?.content?.["application/json"];
        if (!media) continue;
        const example = media.example ?? exampleOf(media.schema, document);
        const schema = JSON.parse(JSON.stringify(media.schema).replaceAll('"#/', '"shop#/'));
        assert.ok(ajv.validate(schema, example), `${ajv.errorsText()}: ${JSON.stringify(example)}`);
        checked += 1;
      }
    }
    assert.ok(checked > 40, String(checked));
  });
});

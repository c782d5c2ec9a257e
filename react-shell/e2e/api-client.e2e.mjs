// A program that knows of the shop what it says of itself: the types are made from its description, and checked.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, describe, test } from "node:test";
import createClient from "openapi-fetch";
import { required } from "./browser.mjs";

/** @typedef {import("../src/generated/openapi").paths} Paths */
/** @typedef {import("../src/generated/openapi").components["schemas"]["ProofOfWork"]} ProofOfWork */

const CUSTOMER = "customer@nudgelight.example";
/** @type {import("openapi-fetch").Client<Paths>} */
const shop = createClient({ baseUrl: required("SHOP_URL") });

/** The proof of work, as any client can do it. @param {ProofOfWork} challenge */
function solved({ algorithm, challenge, salt, maxnumber, signature }) {
  for (let number = 0; number <= maxnumber; number += 1) {
    const hash = createHash("sha256").update(`${salt}${number}`).digest("hex");
    if (hash === challenge) {
      return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature })).toString("base64");
    }
  }
  throw new Error("the challenge has no solution");
}

describe("a typed client", () => {
  let token = "";

  before(async () => {
    const { data: challenge } = await shop.GET("/api/bot-check", { params: { query: { action: "login" } } });
    assert.ok(challenge);
    const credentials = { username: CUSTOMER, password: required("SHOP_DEMO_PASSWORD") };
    const { data } = await shop.POST("/api/auth/login", {
      body: { ...credentials, recaptchaToken: solved(challenge) },
    });
    token = data?.accessToken ?? "";
    assert.notEqual(token, "");
  });

  test("reads the catalogue without an account", async () => {
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
});

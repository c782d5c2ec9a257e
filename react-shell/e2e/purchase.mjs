import { DEMO_PASSWORD } from "./shop.mjs";
import { ACCEPTED, ADDRESS } from "./steps.mjs";

/**
 * What a customer does on a page. Each implementation operates a browser in its own way: with the pointer, by keyboard
 * or through WebDriver.
 *
 * @typedef {object} Hands
 * @property {(path: string) => Promise<unknown>} opens
 * @property {(path: string) => Promise<unknown>} arrivesAt
 * @property {(text: string) => Promise<unknown>} sees
 * @property {(label: string, text: string) => Promise<unknown>} types replaces the text of a field
 * @property {(name: string) => Promise<unknown>} presses a button, by the start of its name
 * @property {(name: string) => Promise<unknown>} follows a link, by the start of its name
 * @property {(name: string) => Promise<unknown>} looks takes a screenshot
 */

/** Whether a page has this path, with any query or with this one. @param {string} page @param {string} path */
export function isAt(page, path) {
  const { pathname, search } = new URL(page);
  return pathname === path || pathname + search === path;
}

const PRODUCT = "Nudgelight Mini";

/** A customer logs in and buys a light, from its page to the order. @param {Hands} hands */
export async function buysALight(hands) {
  await logsIn(hands);
  await addsALight(hands);
  await fillsInTheAddress(hands);
  await pays(hands);
}

/** @param {Hands} hands */
async function logsIn(hands) {
  await hands.opens("/login");
  await hands.types("Email", "customer@nudgelight.example");
  await hands.types("Password", DEMO_PASSWORD);
  await hands.looks("login");
  await hands.presses("Login");
  await hands.arrivesAt("/");
}

/** @param {Hands} hands */
async function addsALight(hands) {
  await hands.opens("/products");
  await hands.looks("products");
  await hands.follows(PRODUCT);
  await hands.arrivesAt("/products/nudgelight-mini");
  await hands.presses("Add to Cart");
  await hands.sees(`${PRODUCT} was added to your cart.`);
  await hands.looks("product");
  await hands.follows("View Cart");
  await hands.arrivesAt("/cart");
  await hands.sees("Estimated tax");
  await hands.looks("cart");
}

/** @param {Hands} hands */
async function fillsInTheAddress(hands) {
  await hands.presses("Proceed to Checkout");
  await hands.arrivesAt("/checkout");
  await hands.types("Full Name", ADDRESS.name);
  await hands.types("Address", ADDRESS.line1);
  await hands.types("City", ADDRESS.city);
  // The ZIP code fills in the state.
  await hands.types("ZIP Code", ADDRESS.code);
  await hands.looks("address");
  await hands.presses("Continue to Payment");
}

/** @param {Hands} hands */
async function pays(hands) {
  await hands.arrivesAt("/checkout?step=payment");
  await hands.presses(ACCEPTED);
  await hands.looks("payment");
  await hands.presses("Pay $");
  await hands.arrivesAt("/checkout/success");
  await hands.sees("Thank you for your order");
  await hands.looks("success");
}

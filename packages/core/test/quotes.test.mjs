// Random carts and addresses: `quoteFor` of the package equals `create-intent` of a running shop to the cent.
// `QUOTES` is their number. The shop is the program `SHOP_SERVER`.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openShop, DEMO_PASSWORD } from "../../../react-shell/e2e/shop.mjs";
import { states } from "../dist/index.js";
import { quoteFor } from "../dist/tax.js";

const QUOTES = Number(process.env["QUOTES"] ?? 100);
const PRODUCTS = 30;
const POSTAL_CODES = { US: "94110", CA: "M5V 2T6" };

let shop, products, rates, asCustomer;

before(async () => {
  shop = await openShop({ SHOP_TAX: "table", SHOP_RATE_LIMITS: "off", SHOP_BOT_CHECK: "off" });
  const asAdmin = await signIn("admin@nudgelight.example");
  products = [];
  for (let number = 0; number < PRODUCTS; number += 1)
    products.push(await asAdmin("/api/products", randomProduct(number)));
  rates = (await (await fetch(`${shop.url}/api/config`)).json()).shipping_rates;
  asCustomer = await signIn("customer@nudgelight.example");
});

after(() => shop?.close());

test(`${QUOTES} random quotes equal those of the shop to the cent`, async (t) => {
  let open;
  const destinations = new Set();
  for (let round = 0; round < QUOTES; round += 1) {
    // An access token is valid for 15 minutes.
    if (round % 1000 === 0) asCustomer = await signIn("customer@nudgelight.example");
    const { items, lines } = randomCart();
    const { address, destination } = randomAddress();
    const body = { currency: "usd", shippingAddress: { name: "Ada Lovelace", address }, items, replaces: open };
    const intent = await asCustomer("/api/payments/create-intent", body);
    open = intent.paymentIntent.id;
    const quoted = quoteFor({ lines, address, rates });
    assert.deepEqual(quoted, { ok: true, ...chargedBy(intent) }, JSON.stringify({ lines, address }));
    destinations.add(destination);
  }
  t.diagnostic(`${QUOTES} quotes, ${destinations.size} states and provinces`);
});

test("a total that no payment can have is refused by both, with the same message", async () => {
  const { id, price, weight_pounds: weight } = products.find((product) => product.price > 10_200);
  const address = { ...randomAddress().address, country: "US", state: "OR", postal_code: POSTAL_CODES.US };
  const quoted = quoteFor({ lines: [{ price, weight, quantity: 99 }], address, rates });
  const shippingAddress = { name: "Ada Lovelace", address };
  const refused = await asCustomer("/api/payments/create-intent", {
    currency: "usd",
    shippingAddress,
    items: [{ product_id: id, quantity: 99 }],
  });
  assert.deepEqual(quoted, { ok: false, field: "lines", error: refused.fields.items });
});

/** The amounts of an intent as `quoteFor` names them. */
function chargedBy({ subtotal, shippingCost: shipping, total, taxCalculation }) {
  const labels = { sales_tax: "Sales tax", gst: "GST", hst: "HST", pst: "PST", qst: "QST", rst: "RST" };
  const tax_lines = taxCalculation.tax_breakdown.map(
    ({ amount, tax_rate_details: { tax_type, percentage_decimal } }) => ({
      label: `${labels[tax_type]} (${Number(percentage_decimal)}%)`,
      amount: amount / 100,
    }),
  );
  return { subtotal, shipping, tax_lines, tax: taxCalculation.tax_amount_exclusive / 100, total };
}

function randomProduct(number) {
  const most = number === 0 ? 9_999_999 : pick([500, 5_000, 300_000]);
  return {
    name: `Random ${number}`,
    description: "For a random cart.",
    price: (number === 0 ? most : whole(1, most)) / 100,
    stock: 1_000_000,
    weight_pounds: whole(1, pick([50, 400, 15_000])) / 100,
    active: true,
  };
}

function randomCart() {
  const chosen = products.slice(1).filter(() => Math.random() < 0.2);
  const bought = chosen.length > 0 ? chosen : [pick(products.slice(1))];
  const quantities = bought.map(() => (Math.random() < 0.8 ? whole(1, 3) : whole(1, 12)));
  return {
    items: bought.map(({ id }, place) => ({ product_id: id, quantity: quantities[place] })),
    lines: bought.map(({ price, weight_pounds: weight }, place) => ({ price, weight, quantity: quantities[place] })),
  };
}

/** With its codes as a person may type them: in lower case, or by name. */
function randomAddress() {
  const country = pick(["US", "CA"]);
  const { code, name } = pick(states(country));
  const state = pick([code, code.toLowerCase(), ` ${name} `]);
  const typed = pick([country, country.toLowerCase()]);
  const address = {
    line1: "12 Lamp Street",
    city: "Brightwater",
    state,
    postal_code: POSTAL_CODES[country],
    country: typed,
  };
  return { address, destination: `${country} ${code}` };
}

async function signIn(username) {
  const { accessToken } = await post("/api/auth/login", { username, password: DEMO_PASSWORD });
  return (path, body) => post(path, body, { authorization: `Bearer ${accessToken}` });
}

async function post(path, body, headers = {}) {
  const options = {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
  const response = await fetch(`${shop.url}${path}`, options);
  const text = await response.text();
  // A refused field is a result; anything else is a mistake of this test.
  if (!response.ok && response.status !== 400) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

function whole(least, most) {
  return least + Math.floor(Math.random() * (most - least + 1));
}

function pick(list) {
  return list[whole(0, list.length - 1)];
}

// The total of a cart file, with shipping and tax, by the shop's own rules:
//   node quote.mjs https://shop.example cart.json
import { readFile } from "node:fs/promises";
import { createShop, ShopError } from "@nudgelight/client";
import { formatMoney } from "@nudgelight/core";
import { quoteFor } from "@nudgelight/core/tax";

const [baseUrl, file] = process.argv.slice(2);

try {
  for (const line of await quote(JSON.parse(await readFile(file, "utf8")))) console.log(line);
} catch (error) {
  console.error(error instanceof ShopError ? `${baseUrl}: ${error.message}` : error.message);
  process.exitCode = 1;
}

async function quote({ items, address }) {
  const shop = createShop({ baseUrl });
  const { shipping_rates: shippingRates } = await shop.get("/api/config");
  const lines = await Promise.all(items.map((item) => pricedLine(shop, item)));
  const quoted = quoteFor({ lines, address, rates: shippingRates });
  if (!quoted.ok) throw new Error(`${quoted.field}: ${quoted.error}`);
  return [
    ...lines.map(({ name, price, quantity }) => `${quantity} × ${name} at ${formatMoney(price)}`),
    `Subtotal ${formatMoney(quoted.subtotal)}`,
    `Shipping ${formatMoney(quoted.shipping)}`,
    ...quoted.tax_lines.map(({ label, amount }) => `${label} ${formatMoney(amount)}`),
    `Total ${formatMoney(quoted.total)}`,
  ];
}

async function pricedLine(shop, { product: id, quantity }) {
  const { name, price, weight_pounds } = await shop.get("/api/products/{id}", { params: { path: { id } } });
  return { name, price, weight: weight_pounds, quantity };
}

// The total of two lights in California, in Deno without npm:
//   deno run --allow-import=shop.example --allow-net=shop.example quote.mjs
import { createShop } from "https://shop.example/sdk/client.js";
import { formatMoney } from "https://shop.example/sdk/core.js";
import { quoteFor } from "https://shop.example/sdk/tax.js";

const shop = createShop({ baseUrl: "https://shop.example" });
const product = await shop.get("/api/products/{id}", { params: { path: { id: "nudgelight-one" } } });
const { shipping_rates: rates } = await shop.get("/api/config");

const lines = [{ price: product.price, weight: product.weight_pounds, quantity: 2 }];
const quote = quoteFor({ lines, address: { country: "US", state: "CA" }, rates });
if (!quote.ok) throw new Error(quote.error);
console.log(`Total ${formatMoney(quote.total)}`);

// A purchase from the cart to the paid order, without a build: the shop's modules and Stripe.js.
import { createShop } from "https://shop.example/sdk/client.js";
import {
  addToCart,
  formatMoney,
  lineTotal,
  paymentStatusLabel,
  states,
  validateAddress,
} from "https://shop.example/sdk/core.js";
import { quoteFor } from "https://shop.example/sdk/tax.js";

const shop = createShop({ baseUrl: "https://shop.example" });
const [products, config] = await Promise.all([shop.get("/api/products"), shop.get("/api/config")]);
const stripe = Stripe(config.payments.publishable_key);
const [checkout, payment] = [document.forms.checkout, document.forms.payment];
const find = (id) => document.getElementById(id);

let cart = [];
let login;
/** The open payment intent with its address, and Stripe's card form. */
let open;

find("products").replaceChildren(...products.map(productButton));
checkout.elements.state.replaceChildren(...states("US").map(({ code, name }) => new Option(name, code)));
checkout.addEventListener("input", showQuote);
onSubmit(checkout, openPayment);
onSubmit(payment, pay);
showQuote();

function productButton(product) {
  const button = document.createElement("button");
  button.textContent = `Add ${product.name}, ${formatMoney(product.price)}`;
  button.addEventListener("click", () => {
    const added = addToCart(cart, product, 1);
    if (added.ok) cart = added.cart;
    showQuote();
    find("message").textContent = added.ok ? "" : added.error;
  });
  return button;
}

/** Shows the cart and its price. An open payment has another price, so its form is closed. */
function showQuote() {
  payment.hidden = true;
  find("cart").replaceChildren(
    ...cart.map((line) => {
      const item = document.createElement("li");
      item.textContent = `${line.quantity} × ${line.name}: ${formatMoney(lineTotal(line))}`;
      return item;
    }),
  );
  const lines = cart.map(({ price, weight_pounds: weight, quantity }) => ({ price, weight, quantity }));
  const quote = quoteFor({ lines, address: typedAddress().address, rates: config.shipping_rates });
  checkout.elements.total.value = quote.ok ? `Total ${formatMoney(quote.total)} with shipping and tax` : quote.error;
}

function typedAddress() {
  const { name, line1, city, state, postal_code } = Object.fromEntries(new FormData(checkout));
  return { name, address: { line1, city, state, postal_code, country: "US" } };
}

/** Logs in, lets the shop compute the price and reserve the lights, and shows Stripe's card form. */
async function openPayment() {
  const checked = validateAddress(typedAddress());
  if (!checked.ok) throw new Error(Object.values(checked.fields)[0]);
  const { username, password } = checkout.elements;
  login ??= await shop.login({ username: username.value, password: password.value });
  const items = cart.map(({ id, quantity }) => ({ product_id: id, quantity }));
  const body = { currency: "usd", shippingAddress: checked.value, items, replaces: open?.intent.id ?? null };
  const { paymentIntent: intent, total } = await shop.post("/api/payments/create-intent", { body });
  open?.elements.getElement("payment")?.destroy();
  const elements = stripe.elements({ clientSecret: intent.client_secret });
  elements.create("payment").mount(find("card"));
  open = { intent, address: checked.value, elements };
  payment.querySelector("button").textContent = `Pay ${formatMoney(total)}`;
  payment.hidden = false;
}

/** The card's data goes from Stripe's frame to Stripe. */
async function pay() {
  const { intent, address, elements } = open;
  const billing = { name: address.name, address: { ...address.address, line2: "" } };
  const { error } = await stripe.confirmPayment({
    elements,
    redirect: "if_required",
    confirmParams: { return_url: location.href, payment_method_data: { billing_details: billing } },
  });
  if (error) throw error;
  checkout.hidden = true;
  payment.hidden = true;
  // The payment makes the order, even if the shop doesn't get this request.
  find("receipt").textContent = "Thank you. You'll get an email about your order.";
  const { orderId: id } = await shop.post("/api/orders", { body: { paymentIntentId: intent.id } });
  const order = await shop.get("/api/orders/{id}", { params: { path: { id } } });
  find("receipt").textContent =
    `Order ${order.number}: ${formatMoney(order.total)}, ${paymentStatusLabel(order.payment.status)}`;
}

/** Runs a step when its form is submitted, once at a time, and shows why it failed. */
function onSubmit(form, step) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    form.inert = true;
    find("message").textContent = "";
    await step().catch((error) => (find("message").textContent = error.message));
    form.inert = false;
  });
}

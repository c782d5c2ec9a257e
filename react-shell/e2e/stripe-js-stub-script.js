/* Stub of Stripe.js: the Payment Element and `confirmPayment`. A classic script that sends its requests to Stripe's
   own URLs. */

const API = "https://api.stripe.com/v1/payment_intents";
const CARD_FORM = "https://js.stripe.com/v3/card-form.html";

/** @param {string} src @param {string} title @param {Element} host */
function frame(src, title, host) {
  const element = document.createElement("iframe");
  Object.assign(element, { src, title });
  host.append(element);
  return element;
}

/** @param {() => void} ask @returns {Promise<any>} the data of the next message */
function answer(ask) {
  return new Promise((resolve) => {
    addEventListener("message", (event) => resolve(event.data), { once: true });
    ask();
  });
}

/** @param {string} prefix @param {object} tree @returns {[string, string][]} in the form of Stripe's API */
function flat(prefix, tree) {
  return Object.entries(tree).flatMap(([name, value]) => {
    const path = `${prefix}[${name}]`;
    if (typeof value === "object") return flat(path, value);
    return value === "" ? [] : [[path, value]];
  });
}

/** @param {{ clientSecret: string }} options */
function elements({ clientSecret }) {
  /** @type {HTMLIFrameElement | undefined} */
  let card;
  const element = {
    /** @param {Element} host */
    mount: (host) => (card = frame(CARD_FORM, "Secure payment input frame", host)),
    destroy: () => card?.remove(),
  };
  const number = async () => (await answer(() => card?.contentWindow?.postMessage("number?", CARD_FORM))).number;
  return { clientSecret, number, create: () => element, getElement: () => element };
}

/** @param {string} key @param {any} options */
async function confirmPayment(key, { elements: { clientSecret, number }, confirmParams }) {
  const id = clientSecret.split("_secret")[0];
  const typed = await number();
  if (!typed) return { error: { type: "validation_error", message: "Your card number is incomplete." } };
  const body = new URLSearchParams([
    ["key", key],
    ["client_secret", clientSecret],
    ["return_url", confirmParams.return_url],
    ["payment_method_data[type]", "card"],
    ["payment_method_data[card][number]", typed],
    ["payment_method_data[card][exp_month]", "12"],
    ["payment_method_data[card][exp_year]", String(new Date().getFullYear() + 1)],
    ["payment_method_data[card][cvc]", "123"],
    ...flat("payment_method_data", confirmParams.payment_method_data),
  ]);
  const confirmed = await (await fetch(`${API}/${id}/confirm`, { method: "POST", body })).json();
  if (confirmed.error) return { error: confirmed.error };
  if (confirmed.status !== "requires_action") return { paymentIntent: confirmed };
  await bankIsAsked(confirmed.next_action.redirect_to_url.url);
  const query = new URLSearchParams({ key, client_secret: clientSecret });
  return { paymentIntent: await (await fetch(`${API}/${id}?${query}`)).json() };
}

/** @param {string} bank */
async function bankIsAsked(bank) {
  const src = `https://hooks.stripe.com/3d_secure_2/hosted?bank=${encodeURIComponent(bank)}`;
  /** @type {HTMLIFrameElement | undefined} */
  let page;
  await answer(() => (page = frame(src, "Bank", document.body)));
  page?.remove();
}

/** @param {string} key */
function Stripe(key) {
  return { elements, confirmPayment: (/** @type {any} */ options) => confirmPayment(key, options) };
}
Stripe.version = "endive";
Object.assign(window, { Stripe });

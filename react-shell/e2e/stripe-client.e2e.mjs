import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Stripe } from "stripe";
import { answersBank, listener, test } from "./stripe-fixtures.mjs";

const USD = { amount: 1_999, currency: "usd" };
const RETURN_URL = "http://localhost:5173/back";

/** @type {Stripe} */
let stripe;

test.beforeAll(({ stripe: client }) => {
  stripe = client;
});

/** @param {object} [more] */
function creates(more = {}) {
  return stripe.paymentIntents.create({ ...USD, ...more });
}

/** @param {object} [address] */
function calculates(address = {}) {
  return stripe.tax.calculations.create({
    currency: "usd",
    line_items: [{ amount: 4_998, quantity: 2, reference: "one" }],
    shipping_cost: { amount: 620 },
    customer_details: {
      address: {
        line1: "12 Front St",
        city: "Los Angeles",
        state: "CA",
        postal_code: "90210",
        country: "US",
        ...address,
      },
      address_source: "shipping",
    },
    expand: ["line_items"],
  });
}

/** A successful payment. */
async function paid() {
  return creates({ confirm: true, payment_method: "pm_card_visa", return_url: RETURN_URL });
}

/**
 * @param {Promise<unknown>} call
 * @param {string} type
 * @param {object} members
 */
async function refused(call, type, members) {
  const error = await call.then(
    () => assert.fail("it was not refused"),
    (/** @type {InstanceType<typeof Stripe.errors.StripeError>} */ reason) => reason,
  );
  assert.equal(error.type, type, String(error));
  for (const [name, value] of Object.entries(members)) {
    assert.deepEqual(error[/** @type {keyof typeof error} */ (name)], value, `${name}: ${JSON.stringify(error.raw)}`);
  }
  assert.ok(error.message);
  return error;
}

test.describe("Stripe's own library and the test-mode Stripe: payments", () => {
  test("an intent is created, retrieved, changed, confirmed and expanded", async () => {
    const made = await creates({ metadata: { order: "1" }, description: "two lights" });
    assert.match(made.id, /^pi_/);
    assert.equal(made.status, "requires_payment_method");
    assert.deepEqual(made.metadata, { order: "1" });
    assert.ok(made.client_secret?.startsWith(`${made.id}_secret_`));
    assert.equal(made.livemode, false);
    assert.match(made.lastResponse.requestId, /^req_/);

    const changed = await stripe.paymentIntents.update(made.id, {
      amount: 2_500,
      metadata: { order: "", gift: "yes" },
    });
    assert.deepEqual([changed.amount, changed.metadata], [2_500, { gift: "yes" }]);

    const confirmed = await stripe.paymentIntents.confirm(made.id, {
      payment_method: "pm_card_mastercard",
      return_url: RETURN_URL,
    });
    assert.deepEqual([confirmed.status, confirmed.amount_received], ["succeeded", 2_500]);
    const whole = await stripe.paymentIntents.retrieve(made.id, { expand: ["latest_charge", "payment_method"] });
    assert.ok(typeof whole.latest_charge === "object" && whole.latest_charge);
    assert.deepEqual([whole.latest_charge.paid, whole.latest_charge.amount], [true, 2_500]);
    assert.equal(whole.latest_charge.payment_method_details?.card?.brand, "mastercard");
    assert.ok(typeof whole.payment_method === "object");
    const charge = await stripe.charges.retrieve(whole.latest_charge.id);
    assert.equal(charge.payment_intent, made.id);
  });

  test("a declined card is a card error with its reasons, and the next card pays", async () => {
    const intent = await creates();
    const error = await refused(
      stripe.paymentIntents.confirm(intent.id, {
        payment_method: "pm_card_chargeDeclinedInsufficientFunds",
        return_url: RETURN_URL,
      }),
      "StripeCardError",
      { code: "card_declined", decline_code: "insufficient_funds", statusCode: 402 },
    );
    assert.ok(error instanceof Stripe.errors.StripeCardError);
    assert.equal(error.payment_intent?.id, intent.id);
    assert.equal(error.payment_intent?.status, "requires_payment_method");
    assert.match(String(error.charge), /^ch_/);
    const next = await stripe.paymentIntents.confirm(intent.id, {
      payment_method: "pm_card_visa",
      return_url: RETURN_URL,
    });
    assert.equal(next.status, "succeeded");
  });

  for (const [outcome, status] of /** @type {const} */ ([
    ["complete", "succeeded"],
    ["fail", "requires_payment_method"],
  ])) {
    test(`3-D Secure that is answered with ${outcome} leaves the payment ${status}`, async () => {
      const asked = await creates({
        confirm: true,
        payment_method: "pm_card_threeDSecure2Required",
        return_url: RETURN_URL,
      });
      assert.equal(asked.status, "requires_action");
      assert.equal(asked.next_action?.type, "redirect_to_url");
      await answersBank(asked, outcome);
      const answered = await stripe.paymentIntents.retrieve(asked.id);
      assert.equal(answered.status, status);
      const code = outcome === "fail" ? "payment_intent_authentication_failure" : undefined;
      assert.equal(answered.last_payment_error?.code, code);
    });
  }

  test("an intent is cancelled once, and can then no longer be paid", async () => {
    const intent = await creates();
    const cancelled = await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: "abandoned" });
    assert.deepEqual([cancelled.status, cancelled.cancellation_reason], ["canceled", "abandoned"]);
    for (const call of [
      () => stripe.paymentIntents.confirm(intent.id, { payment_method: "pm_card_visa", return_url: RETURN_URL }),
      () => stripe.paymentIntents.cancel(intent.id),
    ]) {
      await refused(call(), "StripeInvalidRequestError", {
        code: "payment_intent_unexpected_state",
        statusCode: 400,
      });
    }
  });

  test("refunds add up to what was paid and no further", async () => {
    const intent = await paid();
    const part = await stripe.refunds.create({
      payment_intent: intent.id,
      amount: 500,
      reason: "requested_by_customer",
    });
    assert.deepEqual([part.status, part.amount, part.reason], ["succeeded", 500, "requested_by_customer"]);
    await refused(stripe.refunds.create({ payment_intent: intent.id, amount: 1_500 }), "StripeInvalidRequestError", {
      param: "amount",
    });
    const rest = await stripe.refunds.create({ payment_intent: intent.id });
    assert.equal(rest.amount, 1_499);
    await refused(stripe.refunds.create({ payment_intent: intent.id }), "StripeInvalidRequestError", {
      code: "charge_already_refunded",
    });
    const list = await stripe.refunds.list({ payment_intent: intent.id });
    assert.deepEqual(
      list.data.map((refund) => refund.id),
      [rest.id, part.id],
    );
    assert.equal((await stripe.refunds.retrieve(part.id)).charge, part.charge);
  });

  test("a list is read to its end, page by page, newest first", async () => {
    const mine = [];
    for (let number = 0; number < 5; number += 1) mine.unshift((await creates()).id);
    const page = await stripe.paymentIntents.list({ limit: 2 });
    assert.deepEqual([page.object, page.data.length, page.has_more], ["list", 2, true]);
    const seen = [];
    for await (const intent of stripe.paymentIntents.list({ limit: 2 })) {
      seen.push(intent.id);
      if (seen.length === mine.length) break;
    }
    assert.deepEqual(seen, mine);
  });
});

test.describe("Stripe's own library and the test-mode Stripe: tax", () => {
  test("a calculation becomes one transaction, which is reversed in part and then no further than whole", async () => {
    const calculation = await calculates();
    assert.deepEqual([calculation.tax_amount_exclusive, calculation.amount_total], [362, 5_980]);
    assert.equal(calculation.tax_breakdown[0]?.tax_rate_details.percentage_decimal, "7.25");
    assert.equal(calculation.line_items?.data[0]?.reference, "one");

    const reference = `order-${calculation.id}`;
    const sale = await stripe.tax.transactions.createFromCalculation({ calculation: calculation.id ?? "", reference });
    assert.deepEqual([sale.type, sale.reference], ["transaction", reference]);
    const twice = stripe.tax.transactions.createFromCalculation({ calculation: calculation.id ?? "", reference });
    await refused(twice, "StripeInvalidRequestError", { param: "reference" });

    const reversal = (/** @type {number} */ cents) =>
      stripe.tax.transactions.createReversal({
        mode: "partial",
        original_transaction: sale.id,
        reference: `${reference}:${cents}`,
        flat_amount: -cents,
        expand: ["line_items"],
      });
    const part = await reversal(1_000);
    assert.deepEqual([part.type, part.reversal?.original_transaction], ["reversal", sale.id]);
    const lines = [...(part.line_items?.data ?? []), part.shipping_cost];
    assert.equal(
      lines.reduce((sum, line) => sum + (line?.amount ?? 0) + (line?.amount_tax ?? 0), 0),
      -1_000,
    );
    await refused(reversal(4_981), "StripeInvalidRequestError", { param: "flat_amount" });
    assert.equal((await reversal(4_980)).type, "reversal");
    assert.equal((await stripe.tax.transactions.retrieve(sale.id)).reference, reference);
  });

  test("an address that is nowhere is refused by its name", async () => {
    await refused(calculates({ state: "XX" }), "StripeInvalidRequestError", {
      code: "customer_tax_location_invalid",
      param: "customer_details[address]",
    });
  });
});

test.describe("Stripe's own library and the test-mode Stripe: what goes wrong", () => {
  test("a key repeats its first answer and refuses another question", async () => {
    const options = { idempotencyKey: `key-${Date.now()}` };
    const first = await stripe.paymentIntents.create(USD, options);
    const again = await stripe.paymentIntents.create(USD, options);
    assert.equal(again.id, first.id);
    assert.equal(new Headers(again.lastResponse.headers).get("idempotent-replayed"), "true");
    const other = stripe.paymentIntents.create({ ...USD, amount: 5_000 }, options);
    await refused(other, "StripeIdempotencyError", { statusCode: 400 });
  });

  test("what is missing, wrong or unknown is named", async () => {
    const cases = /** @type {const} */ ([
      [() => creates({ amount: undefined }), { param: "amount", code: "parameter_missing" }],
      [() => creates({ amount: 1 }), { param: "amount", code: "amount_too_small" }],
      [() => creates({ surprise: "yes" }), { param: "surprise", code: "parameter_unknown" }],
      [
        () => stripe.paymentIntents.retrieve("pi_nowhere"),
        { param: "intent", code: "resource_missing", statusCode: 404 },
      ],
      [
        () => stripe.refunds.create({ payment_intent: "pi_nowhere" }),
        { param: "payment_intent", code: "resource_missing" },
      ],
    ]);
    for (const [call, members] of cases) await refused(call(), "StripeInvalidRequestError", members);
  });

  test("a key that is not the account's opens nothing", async ({ provider }) => {
    await refused(stripe.paymentIntents.list({}, { apiKey: "sk_test_wrong" }), "StripeAuthenticationError", {
      statusCode: 401,
    });
    const { payments } = await (await fetch(new URL("/api/config", provider.url))).json();
    await refused(stripe.paymentIntents.list({}, { apiKey: payments.publishable_key }), "StripePermissionError", {
      statusCode: 403,
    });
  });
});

test.describe("Stripe's own library and the test-mode Stripe: webhooks", () => {
  /** @type {Awaited<ReturnType<typeof listener>>} */
  let ear;
  /** @type {import("stripe").Stripe.WebhookEndpoint} */
  let endpoint;

  test.beforeAll(async () => {
    ear = await listener();
    endpoint = await stripe.webhookEndpoints.create({ url: ear.url, enabled_events: ["*"] });
  });

  test.afterAll(async () => {
    await stripe.webhookEndpoints.del(endpoint.id);
    ear.close();
  });

  test("each event it posts is signed with the endpoint's secret and is what happened", async () => {
    const secret = endpoint.secret ?? "";
    const intent = await paid();
    await stripe.refunds.create({ payment_intent: intent.id, amount: 100 });
    const wanted = ["charge.refunded", "charge.succeeded", "payment_intent.created", "payment_intent.succeeded"];
    const giveUpAt = Date.now() + 15_000;
    const mine = () =>
      ear.received
        .filter(({ body }) => body.includes(intent.id))
        .map(({ body, signature }) => ({
          event: stripe.webhooks.constructEvent(body, signature, secret),
          body,
          signature,
        }));
    while (wanted.some((type) => mine().every(({ event }) => event.type !== type))) {
      assert.ok(
        Date.now() < giveUpAt,
        mine()
          .map(({ event }) => event.type)
          .join(", "),
      );
      await sleep(100);
    }
    const refunded = mine().find(({ event }) => event.type === "charge.refunded");
    assert.ok(refunded && refunded.event.type === "charge.refunded");
    assert.deepEqual([refunded.event.data.object.amount_refunded, refunded.event.livemode], [100, false]);
    assert.match(refunded.event.id, /^evt_/);
    const forged = refunded.body.replace("100", "999");
    for (const [body, key] of [
      [forged, secret],
      [refunded.body, "whsec_another"],
    ]) {
      assert.throws(
        () => stripe.webhooks.constructEvent(String(body), refunded.signature, String(key)),
        Stripe.errors.StripeSignatureVerificationError,
      );
    }
  });

  test("an endpoint is listed without its secret, and once deleted it is told nothing", async () => {
    const other = await listener();
    const { id } = await stripe.webhookEndpoints.create({ url: other.url, enabled_events: ["payment_intent.created"] });
    const listed = (await stripe.webhookEndpoints.list()).data.find((found) => found.id === id);
    assert.deepEqual([listed?.url, listed?.secret, listed?.status], [other.url, undefined, "enabled"]);
    assert.equal((await stripe.webhookEndpoints.del(id)).deleted, true);
    const known = ear.received.length;
    await paid();
    const giveUpAt = Date.now() + 15_000;
    while (ear.received.length < known + 3) {
      assert.ok(Date.now() < giveUpAt, "the endpoint that stayed is still told");
      await sleep(100);
    }
    assert.deepEqual(other.received, []);
    other.close();
    await refused(stripe.webhookEndpoints.del(id), "StripeInvalidRequestError", { statusCode: 404 });
  });
});

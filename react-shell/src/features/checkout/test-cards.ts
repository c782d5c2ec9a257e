/** Stripe's documented test card numbers and their results. */
export const TEST_CARDS = [
  { number: "4242424242424242", result: "Succeeds" },
  { number: "4000000000000002", result: "Declined" },
  { number: "4000000000009995", result: "Insufficient funds" },
  { number: "4000000000000069", result: "Expired card" },
  { number: "4000000000000127", result: "Incorrect security code" },
  { number: "4000002500003155", result: "Requires 3-D Secure" },
] as const;

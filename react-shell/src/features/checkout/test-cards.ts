/** The provider's documented test numbers, and what each of them does. */
export const TEST_CARDS = [
  { number: "4242424242424242", meaning: "is accepted" },
  { number: "4000000000000002", meaning: "is declined" },
  { number: "4000000000009995", meaning: "has insufficient funds" },
  { number: "4000000000000069", meaning: "has expired" },
  { number: "4000000000000127", meaning: "has a wrong security code" },
  { number: "4000002500003155", meaning: "asks the bank first (3-D Secure)" },
] as const;

/** The policies by name, which is the path of the page and the name in the API. */
export const POLICY_TITLES = {
  contact: "Contact",
  privacy: "Privacy",
  terms: "Terms",
  "shipping-and-returns": "Shipping and Returns",
} as const;

export type Policy = keyof typeof POLICY_TITLES;

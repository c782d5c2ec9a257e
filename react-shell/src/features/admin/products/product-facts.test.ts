import { expect, test } from "vitest";

import { clearedFacts, FACTS } from "./product-facts";

test("every fact that may be unknown can be cleared", () => {
  const given = { form: "stick", lamp_color: "amber", card_picture: "photo", in_the_box: [] } as const;
  const members = new Set(Object.values(FACTS).map(({ field }) => field.split(".")[0]));
  const nullable = [...members].filter((name) => name !== undefined && !(name in given));
  expect(Object.keys(clearedFacts({ ...given, in_the_box: [] }))).toEqual(nullable);
  expect(clearedFacts({ ...given, in_the_box: [], sku: "NL-ONE" })).not.toHaveProperty("sku");
  expect(clearedFacts({ ...given, in_the_box: [] })).not.toHaveProperty("form");
});

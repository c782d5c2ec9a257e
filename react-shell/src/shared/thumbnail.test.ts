import { expect, test } from "vitest";
import { thumbnail } from "./thumbnail";

test("a thumbnail is the smallest size of a photo, which is never enlarged", () => {
  expect(thumbnail("/images/photos/9f86d081-1200.jpg")).toBe("/images/photos/9f86d081-200.jpg");
  expect(thumbnail("/images/photos/9f86d081-150.jpg")).toBe("/images/photos/9f86d081-150.jpg");
});

test("a drawing has one size", () => {
  expect(thumbnail("/images/nudgelight-one.svg")).toBe("/images/nudgelight-one.svg");
});

import { expect, test } from "vitest";
import { isUpdate } from "./firmware-update";

test("firmware is offered if it is another and not older", () => {
  expect(isUpdate("0.2.0+aaaaaaaa", "0.1.0+bbbbbbbb")).toBe(true);
  expect(isUpdate("0.10.0+aaaaaaaa", "0.9.0+bbbbbbbb")).toBe(true);
  expect(isUpdate("0.1.0+aaaaaaaa", "0.1.0+bbbbbbbb")).toBe(true);
  expect(isUpdate("0.1.0+aaaaaaaa", "0.1.0")).toBe(true);
  expect(isUpdate("0.1.0+aaaaaaaa", "0.1.0+aaaaaaaa")).toBe(false);
  expect(isUpdate("0.9.0+aaaaaaaa", "0.10.0+bbbbbbbb")).toBe(false);
});

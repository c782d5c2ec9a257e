import { fireEvent, render, screen } from "@testing-library/react";
import type { FormEvent } from "react";
import { expect, test, vi } from "vitest";
import { useBotCheck } from "./use-bot-check";

const submit = vi.fn<(event: FormEvent<HTMLFormElement>) => void>((event) => event.preventDefault());

function CheckedForm({ isValid }: { isValid: boolean }) {
  const check = useBotCheck((event) => {
    if (!isValid) event.preventDefault();
  }, submit);
  return (
    <form onSubmit={check.onSubmit}>
      <button type="submit">{check.isWaiting ? "Checking…" : "Login"}</button>
      <button type="submit" name="intent" value="code">
        Code
      </button>
      <button type="button" onClick={() => check.onToken("token")}>
        Pass the check
      </button>
    </form>
  );
}

test("a form that is submitted before its check has passed is sent once it has", () => {
  render(<CheckedForm isValid />);
  fireEvent.click(screen.getByText("Login"));
  expect(submit).not.toHaveBeenCalled();
  expect(screen.getByText("Checking…")).toBeTruthy();
  fireEvent.click(screen.getByText("Pass the check"));
  expect(submit).toHaveBeenCalledTimes(1);
  expect(screen.getByText("Login")).toBeTruthy();
});

test("a form that has waited is sent by the button that was pressed", () => {
  submit.mockClear();
  render(<CheckedForm isValid />);
  fireEvent.click(screen.getByText("Code"));
  fireEvent.click(screen.getByText("Pass the check"));
  const { nativeEvent } = submit.mock.calls[0]?.[0] ?? {};
  expect(nativeEvent instanceof SubmitEvent && nativeEvent.submitter?.textContent).toBe("Code");
});

test("a form with an error does not wait for the check", () => {
  submit.mockClear();
  render(<CheckedForm isValid={false} />);
  fireEvent.click(screen.getByText("Login"));
  expect(screen.queryByText("Checking…")).toBeNull();
  fireEvent.click(screen.getByText("Pass the check"));
  expect(submit).not.toHaveBeenCalled();
});

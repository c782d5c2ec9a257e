import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { FormEvent } from "react";
import { expect, test, vi } from "vitest";
import { useBotCheck } from "./use-bot-check";

const submit = vi.fn<(event: FormEvent<HTMLFormElement>) => void>((event) => event.preventDefault());

/** `isPassedBySubmit`: the token comes while the form's submit event is dispatched. */
function CheckedForm({ isValid, isPassedBySubmit = false }: { isValid: boolean; isPassedBySubmit?: boolean }) {
  const check = useBotCheck((event) => {
    if (!isValid) event.preventDefault();
  }, submit);
  return (
    <form
      onSubmit={(event) => {
        check.onSubmit(event);
        if (isPassedBySubmit) check.onToken("token");
      }}
    >
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

test("a form that is submitted before its check has passed is sent once it has", async () => {
  render(<CheckedForm isValid />);
  fireEvent.click(screen.getByText("Login"));
  expect(submit).not.toHaveBeenCalled();
  expect(screen.getByText("Checking…")).toBeTruthy();
  fireEvent.click(screen.getByText("Pass the check"));
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1));
  expect(screen.getByText("Login")).toBeTruthy();
});

test("a form that has waited is sent by the button that was pressed", async () => {
  submit.mockClear();
  render(<CheckedForm isValid />);
  fireEvent.click(screen.getByText("Code"));
  fireEvent.click(screen.getByText("Pass the check"));
  await waitFor(() => expect(submit).toHaveBeenCalled());
  const { nativeEvent } = submit.mock.calls[0]?.[0] ?? {};
  expect(nativeEvent instanceof SubmitEvent && nativeEvent.submitter?.textContent).toBe("Code");
});

test("a token that comes during the submission sends the form after it: browsers ignore a nested submission", async () => {
  submit.mockClear();
  render(<CheckedForm isValid isPassedBySubmit />);
  const requestSubmit = vi.spyOn(HTMLFormElement.prototype, "requestSubmit");
  fireEvent.click(screen.getByText("Login"));
  expect(requestSubmit).not.toHaveBeenCalled();
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1));
  requestSubmit.mockRestore();
});

test("a form with an error does not wait for the check", () => {
  submit.mockClear();
  render(<CheckedForm isValid={false} />);
  fireEvent.click(screen.getByText("Login"));
  expect(screen.queryByText("Checking…")).toBeNull();
  fireEvent.click(screen.getByText("Pass the check"));
  expect(submit).not.toHaveBeenCalled();
});

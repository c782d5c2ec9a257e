import { useRevalidator } from "react-router";
import { Button } from "../../../shared/ui/button";
import { Notice } from "../../../shared/ui/notice";
import { ConflictNotice } from "../shared/conflict-notice";
import { orderDifferences } from "./order-differences";
import type { OrderSaver } from "./use-order-saver";

interface Props {
  saver: OrderSaver;
  /** Props of the Keep Mine button: it submits the surrounding form or calls a handler. */
  keepMine: { type: "submit" } | { onClick: () => void };
  onTakeTheirs?: () => void;
}

/** The error of a failed save. An edit conflict shows both versions and lets the administrator choose. */
export function SaveFailure({ saver, keepMine, onTakeTheirs }: Props) {
  const { revalidate } = useRevalidator();
  const { result, isBusy, dismiss } = saver;
  if (result?.kind !== "failed") return null;
  if (result.current === undefined || result.mine === undefined) {
    return (
      <Notice kind="error">
        {result.message}
        {result.reason && <span className="block">{result.reason}</span>}
      </Notice>
    );
  }

  function takeTheirs() {
    dismiss();
    onTakeTheirs?.();
    void revalidate();
  }

  return (
    <ConflictNotice
      message={result.message}
      subject="order"
      differences={orderDifferences(result.mine, result.current)}
    >
      <Button onClick={takeTheirs}>Take Theirs</Button>
      <Button {...keepMine} disabled={isBusy}>
        Keep Mine
      </Button>
    </ConflictNotice>
  );
}

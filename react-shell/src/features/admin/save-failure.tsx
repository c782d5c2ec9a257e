import { useRevalidator } from "react-router";
import { Button } from "../../shared/ui/button";
import { Notice } from "../../shared/ui/notice";
import { ConflictNotice } from "./conflict-notice";
import { orderDifferences } from "./order-differences";
import type { OrderSaver } from "./use-order-saver";

interface Props {
  saver: OrderSaver;
  /** The button that saves once more: of the form around it, or one that knows what to send. */
  keepMine: { type: "submit" } | { onClick: () => void };
  onTakeTheirs?: () => void;
}

/** Why an order could not be saved; if somebody else was faster, with both versions and the two ways on. */
export function SaveFailure({ saver, keepMine, onTakeTheirs }: Props) {
  const { revalidate } = useRevalidator();
  const { outcome, isBusy, putAside } = saver;
  if (outcome?.kind !== "failed") return null;
  if (outcome.current === undefined || outcome.mine === undefined) {
    return (
      <Notice kind="bad">
        {outcome.message}
        {outcome.reason && <span className="block">{outcome.reason}</span>}
      </Notice>
    );
  }

  function takeTheirs() {
    putAside();
    onTakeTheirs?.();
    void revalidate();
  }

  return (
    <ConflictNotice
      message={outcome.message}
      what="order"
      differences={orderDifferences(outcome.mine, outcome.current)}
    >
      <Button onClick={takeTheirs}>Take Theirs</Button>
      <Button {...keepMine} disabled={isBusy}>
        Keep Mine
      </Button>
    </ConflictNotice>
  );
}

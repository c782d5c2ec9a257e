import { Notice } from "../../../shared/ui/notice";
import { ConflictNotice } from "../shared/conflict-notice";
import type { Keep } from "../shared/merge-edit";
import type { OrderSaver } from "./use-order-saver";

interface Props {
  saver: OrderSaver;
  /** Resolves a conflict where no form surrounds the notice, which its buttons would submit. */
  onKeep?: (keep: Keep) => void;
  onCancel?: () => void;
}

/** The error of a failed save. An edit conflict shows both versions and lets the administrator choose. */
export function SaveFailure({ saver: { result, isBusy }, onKeep, onCancel }: Props) {
  if (result?.kind !== "failed") return null;
  if (result.conflict === undefined) {
    return (
      <Notice kind="error">
        {result.message}
        {result.reason && <span className="block">{result.reason}</span>}
      </Notice>
    );
  }
  return (
    <ConflictNotice
      message={result.message}
      subject="order"
      differences={result.conflict.differences}
      isBusy={isBusy}
      {...(onKeep && { onKeep })}
      {...(onCancel && { onCancel })}
    />
  );
}

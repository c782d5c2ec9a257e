import { useState, type FormEvent } from "react";
import { fieldValue } from "../../../../shared/form-result";
import { formatMoney, type Order } from "../../../../shared/rules";
import { Button } from "../../../../shared/ui/button";
import { Dialog } from "../../../../shared/ui/dialog";
import { TextField } from "../../../../shared/ui/field";
import { Notice } from "../../../../shared/ui/notice";
import { omitUndefined, useFieldErrors } from "../../../../shared/use-field-errors";
import type { RefundableParts } from "./api";
import { RefundAmounts } from "./refund-amounts";
import { checkAmount, NO_REFUND, refundRequest, wholeRefund, type RefundDraft } from "./refund-draft";
import { RefundItems } from "./refund-items";
import type { SaveRefundResult } from "./save-refund";
import { useRefundPreview, type RefundPreview } from "./use-refund-preview";

interface RefundSaver {
  /** The result of the last attempt, until dismissed. */
  result: SaveRefundResult | undefined;
  isBusy: boolean;
  save: (form: Record<string, string>) => void;
}

interface Props {
  order: Order;
  left: RefundableParts;
  saver: RefundSaver;
  isOpen: boolean;
  onClose: () => void;
}

/** Refunds items and shipping, or an amount. At first nothing is chosen. */
export function RefundDialog({ order, left, saver, isOpen, onClose }: Props) {
  return (
    <Dialog
      title={`Refund order ${order.number}?`}
      description={`The refund goes to ${order.billing_address.name}’s card. It can’t be undone.`}
      isOpen={isOpen}
      onClose={onClose}
    >
      <RefundForm order={order} left={left} saver={saver} onClose={onClose} />
    </Dialog>
  );
}

function RefundForm({ order, left, saver, onClose }: Omit<Props, "isOpen">) {
  const [draft, setDraft] = useState(NO_REFUND);
  const request = refundRequest(draft, order, left);
  const preview = useRefundPreview(order.id, request);
  const { result, isBusy, save } = saver;
  const { errors, formProps } = useFieldErrors(validate, undefined);
  const isReady = request !== undefined && preview?.parts !== undefined && !isBusy;

  function change(changed: Partial<RefundDraft>) {
    setDraft((shown) => ({ ...shown, ...changed }));
  }

  function validate(values: FormData) {
    if (draft.by === "items") return {};
    return omitUndefined({ amount: checkAmount(fieldValue(values, "amount"), left) });
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    formProps.onSubmit(event);
    event.preventDefault();
    if (isReady) save({ intent: "refund", request: JSON.stringify(request) });
  }

  return (
    <form className="space-y-4" {...formProps} onSubmit={submit}>
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <RefundKind by={draft.by} onChange={(by) => change({ by })} />
        <button type="button" className="text-link min-h-11" onClick={() => change(wholeRefund(left))}>
          Refund everything
        </button>
      </div>
      {draft.by === "items" ? (
        <RefundItems draft={draft} left={left} onChange={change} />
      ) : (
        <TextField
          label="Amount"
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          value={draft.amount}
          onChange={(event) => change({ amount: event.target.value })}
          error={errors["amount"]}
          hint={`Up to ${formatMoney(left.amount)}, tax included.`}
        />
      )}
      <Summary isChosen={request !== undefined} preview={preview} />
      {result?.kind === "failed" && (
        <Notice kind="error">
          {result.message}
          {result.reason && <span className="block">{result.reason}</span>}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="danger" disabled={!isReady}>
          {isBusy ? "Refunding..." : `Refund${preview?.parts ? ` ${formatMoney(preview.parts.amount)}` : ""}`}
        </Button>
      </div>
    </form>
  );
}

const KINDS = [
  { by: "items", label: "Items and shipping" },
  { by: "amount", label: "Amount" },
] as const;

function RefundKind({ by, onChange }: { by: RefundDraft["by"]; onChange: (by: RefundDraft["by"]) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-x-6">
      <legend className="sr-only">Refund by</legend>
      {KINDS.map((kind) => (
        <label key={kind.by} className="flex min-h-11 items-center gap-3">
          <input
            type="radio"
            name="refund-by"
            className="size-5 shrink-0"
            checked={by === kind.by}
            onChange={() => onChange(kind.by)}
          />
          <span>{kind.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** What the refund comes to; announced when it changes. It keeps its height while the server computes. */
function Summary({ isChosen, preview }: { isChosen: boolean; preview: RefundPreview | undefined }) {
  return (
    <div role="status" className="min-h-24">
      {!isChosen && <p className="text-muted">Choose items, shipping, or an amount.</p>}
      {isChosen && preview === undefined && <p className="text-muted">Calculating…</p>}
      {isChosen && preview?.error !== undefined && <p className="text-bad">{preview.error}</p>}
      {isChosen && preview?.parts && <RefundAmounts parts={preview.parts} />}
    </div>
  );
}

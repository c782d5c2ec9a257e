import { Button } from "../../../../shared/ui/button";
import { Dialog } from "../../../../shared/ui/dialog";
import type { RefundBlock } from "./api";

/** Why nothing can be refunded. */
export const BLOCKED: Record<RefundBlock, string> = {
  dispute: "The customer’s bank holds the money until it decides the dispute, so nothing can be refunded.",
  lost_dispute: "The dispute was lost and the customer already has the money back, so nothing can be refunded.",
};

interface Props {
  number: number;
  blocked: RefundBlock;
  isOpen: boolean;
  onClose: () => void;
}

/** Takes the place of the refund dialog while every refund would fail. */
export function RefundBlocked({ number, blocked, isOpen, onClose }: Props) {
  return (
    <Dialog
      title={`Order ${number} can’t be refunded`}
      description={BLOCKED[blocked]}
      isOpen={isOpen}
      onClose={onClose}
    >
      <div className="flex justify-end">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

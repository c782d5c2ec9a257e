import { formatMoney } from "../../shared/rules";
import { thumbnail } from "../../shared/thumbnail";
import { Button } from "../../shared/ui/button";
import { Dialog } from "../../shared/ui/dialog";
import { additionTo, type Addition } from "./addition";
import type { CartLink, LinkedProduct } from "./cart-link";
import { useCart } from "./use-cart";

interface Props {
  link: CartLink;
  isOpen: boolean;
  onAdd: () => void;
  onClose: () => void;
}

/** Asks whether to add the products of a cart link. Nothing is added without an answer. */
export function CartLinkDialog({ link, isOpen, onAdd, onClose }: Props) {
  const addition = additionTo(useCart(), link);
  const { added, reasons } = addition;
  return (
    <Dialog title={titleOf(addition)} description={descriptionOf(addition)} isOpen={isOpen} onClose={onClose}>
      {added.length > 0 && <AddedProducts added={added} />}
      {reasons.length > 0 && (
        <ul className="mb-4 list-disc space-y-1 pl-5 text-warn">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        {added.length === 0 ? (
          <Button onClick={onClose}>OK</Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" onClick={onAdd}>
              Add to Cart
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}

function titleOf({ added }: Addition): string {
  const [first, ...others] = added;
  if (first === undefined) return "Nothing to add to your cart";
  if (others.length > 0) return `Add ${added.length} products to your cart?`;
  return `Add ${first.quantity} ${first.product.name} to your cart?`;
}

function descriptionOf({ added, reasons }: Addition): string {
  if (reasons.length === 0) return "The link that you followed suggests this. Prices are before shipping and tax.";
  return added.length === 0
    ? "Nothing in this link can be added:"
    : "Some of this link can’t be added. The reasons are below.";
}

function AddedProducts({ added }: { added: LinkedProduct[] }) {
  return (
    <ul className="mb-4 divide-y divide-line rounded-field border border-line">
      {added.map(({ product, quantity }) => (
        <li key={product.id} className="flex items-center gap-3 p-2.5">
          <img
            src={thumbnail(product.image)}
            alt=""
            width={48}
            height={48}
            className="size-12 shrink-0 rounded-field border border-line object-cover"
          />
          <span className="min-w-0 grow font-medium wrap-anywhere">{product.name}</span>
          <span className="shrink-0 text-muted">
            {quantity} × {formatMoney(product.price)}
          </span>
        </li>
      ))}
    </ul>
  );
}

import { CircleX, Trash2, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cartLineId, paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { formatMoney, lineTotal, type CartLine } from "../../shared/rules";
import { thumbnail } from "../../shared/thumbnail";
import { Button } from "../../shared/ui/button";
import { ShopLink } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { useLinkedLineFocus } from "./focus-line";
import { lineBefore } from "./line-changes";
import { isOrderable } from "./orderable-lines";
import { QuantityStepper } from "./quantity-stepper";

interface Props {
  line: CartLine;
  onRemove: (line: CartLine) => void;
}

export function CartLineRow({ line, onRemove }: Props) {
  useLinkedLineFocus(line.id);
  const isUnlisted = useIsUnlisted(line.id);
  const before = lineBefore(line);
  return (
    <li id={cartLineId(line.id)} className="flex gap-3 py-5 sm:gap-5 first:pt-0 last:pb-0">
      <LineImage line={line} isUnlisted={isUnlisted} />
      <div className="min-w-0 grow">
        <div className="flex flex-wrap justify-between gap-x-4">
          <LineName line={line} isUnlisted={isUnlisted} />
          {isOrderable(line) && (
            <p className="text-lg font-semibold">
              <Money amount={lineTotal(line)} />
            </p>
          )}
        </div>
        <p className="text-muted">
          <Money amount={line.price} /> each
        </p>
        {before.price !== undefined && (
          <LineChange>
            Price changed from {formatMoney(before.price)} to {formatMoney(line.price)}
          </LineChange>
        )}
        {!isOrderable(line) && <SoldOut isUnlisted={isUnlisted} />}
        <div className="mt-3 flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
          {isOrderable(line) && <QuantityStepper line={line} note={reductionNote(line, before.quantity)} />}
          <Button
            variant="ghost"
            className={isOrderable(line) ? "mt-0.5 -mr-3 px-3" : "-ml-3.5 px-3"}
            aria-label={`Remove ${line.name}`}
            onClick={() => onRemove(line)}
          >
            <Trash2 aria-hidden className="size-4" />
            {/* On a phone, the stepper and the text do not fit beside each other. */}
            <span className={isOrderable(line) ? "max-sm:hidden" : ""}>Remove</span>
          </Button>
        </div>
      </div>
    </li>
  );
}

/** Whether the catalog no longer lists the product; false if it could not be loaded. */
function useIsUnlisted(productId: string): boolean {
  return useRootData().cartProducts.get(productId) === null;
}

function LineName({ line, isUnlisted }: { line: CartLine; isUnlisted: boolean }) {
  return (
    <h2 className={`text-lg ${isOrderable(line) ? "" : "text-muted"}`}>
      {isUnlisted ? (
        line.name
      ) : (
        <ShopLink to={paths.product(line.slug)} className="hover:underline">
          {line.name}
        </ShopLink>
      )}
    </h2>
  );
}

/** The stock has dropped below the quantity since the line was added. */
function reductionNote({ available, quantity }: CartLine, wanted: number | undefined): string | undefined {
  if (wanted !== undefined) return `Only ${available} left. You had ${wanted}; it’s ${quantity} now.`;
  return quantity > available ? `Only ${available} left.` : undefined;
}

function LineChange({ children }: { children: ReactNode }) {
  return (
    <p className="mt-1 flex items-start gap-1.5 text-sm font-medium text-warn">
      <TriangleAlert aria-hidden className="mt-1 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

function SoldOut({ isUnlisted }: { isUnlisted: boolean }) {
  return (
    <p className="mt-1 flex items-start gap-1.5 text-sm font-medium text-bad">
      <CircleX aria-hidden className="mt-1 size-4 shrink-0" />
      <span>{isUnlisted ? "No longer available" : "Sold out"} · Not included in the total</span>
    </p>
  );
}

/** The product's picture. An unlisted product has none; an empty box keeps the lines aligned. */
function LineImage({ line, isUnlisted }: { line: CartLine; isUnlisted: boolean }) {
  const className = "size-16 shrink-0 rounded-field border border-line object-cover sm:size-24";
  if (isUnlisted) return <span className={`${className} bg-line`} aria-hidden="true" />;
  const image = line.image ? thumbnail(line.image) : `/images/${line.slug}.svg`;
  const dimmed = isOrderable(line) ? "" : "opacity-50 grayscale";
  return <img src={image} alt="" width={96} height={96} className={`${className} ${dimmed}`} />;
}

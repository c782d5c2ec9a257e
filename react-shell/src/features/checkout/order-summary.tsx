import type { ReactNode } from "react";
import { lineTotal, type Cart, type Country, type TaxLine } from "../../shared/rules";
import { thumbnail } from "../../shared/thumbnail";
import { ArrivalLine } from "../../shared/ui/arrival-line";
import { Money } from "../../shared/ui/money";

interface Props {
  cart: Cart;
  /** Where it ships to. */
  country: Country;
  subtotal: number;
  shipping: number | undefined;
  /** Undefined if the cart has no quote. */
  beforeTax?: number | undefined;
  /** Undefined until the server has calculated the tax. */
  taxLines?: TaxLine[];
  total?: number;
}

/** The order summary: items and costs. Collapsible on small screens. */
export function OrderSummary(props: Props) {
  const { total, beforeTax, subtotal } = props;
  return (
    <>
      <section className="hidden rounded-card border border-line bg-card p-6 shadow-card lg:block">
        <h2 className="mb-4 text-xl">Order Summary</h2>
        <Lines {...props} />
      </section>
      <details className="rounded-card border border-line bg-card shadow-card lg:hidden">
        <summary className="px-5 py-4 text-lg font-semibold">
          {/* Beside the marker, which is a character of text. */}
          <span className="inline-flex w-[calc(100%-1.5rem)] flex-wrap justify-between gap-x-2 align-top">
            Order Summary{" "}
            <span className="ml-auto text-right">
              <Money amount={total ?? beforeTax ?? subtotal} />
              {total === undefined && (
                <span className="block text-sm font-normal text-muted">
                  {beforeTax === undefined ? "before shipping and tax" : "before tax"}
                </span>
              )}
            </span>
          </span>
        </summary>
        <div className="px-5 pb-5">
          <Lines {...props} />
        </div>
      </details>
    </>
  );
}

function Lines({ cart, country, subtotal, shipping, beforeTax, taxLines, total }: Props) {
  const sum = total ?? beforeTax;
  return (
    <>
      <ul className="space-y-4 border-b border-line pb-4">
        {cart.map((line) => (
          <li key={line.id} className="flex items-center gap-3">
            <img
              src={thumbnail(line.image)}
              alt=""
              width={56}
              height={56}
              className="size-14 shrink-0 rounded-lg border border-line object-cover"
            />
            <span className="min-w-0 grow">
              {line.name}
              <span className="block text-sm text-muted">
                {line.quantity} × <Money amount={line.price} />
              </span>
            </span>
            <Money amount={lineTotal(line)} />
          </li>
        ))}
      </ul>
      <dl className="space-y-1 pt-4">
        <Cost label="Subtotal">
          <Money amount={subtotal} />
        </Cost>
        <Cost label="Shipping">{shipping === undefined ? "–" : <Money amount={shipping} />}</Cost>
        {taxLines === undefined && <Cost label="Tax">Calculated at next step</Cost>}
        {taxLines?.map((tax) => (
          <Cost key={tax.label} label={tax.label}>
            <Money amount={tax.amount} />
          </Cost>
        ))}
        {sum !== undefined && (
          <div className="flex justify-between gap-4 border-t border-line pt-2 text-lg font-semibold">
            <dt>{total === undefined ? "Total before tax" : "Total"}</dt>
            <dd>
              <Money amount={sum} /> USD
            </dd>
          </div>
        )}
      </dl>
      <div className="pt-4 empty:hidden">
        <ArrivalLine country={country} />
      </div>
    </>
  );
}

function Cost({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

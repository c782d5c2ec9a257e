import { Pencil } from "lucide-react";
import { useState } from "react";
import { formatWeight, type Product } from "../../shared/rules";
import { Stock } from "../../shared/ui/badge";
import { Button } from "../../shared/ui/button";
import { Money } from "../../shared/ui/money";
import { Notice } from "../../shared/ui/notice";
import { Card } from "../../shared/ui/page";
import { CELL, HEAD, TABLE } from "../../shared/ui/table";
import { ActiveToggle } from "./active-toggle";
import { ProductEditor } from "./product-editor";
import { StockEditor } from "./stock-editor";

export function ProductsTable({ products }: { products: Product[] }) {
  const [edited, setEdited] = useState<Product>();
  const [news, setNews] = useState<string>();

  function edit(product: Product) {
    setNews(undefined);
    setEdited(product);
  }

  function finish(message: string) {
    setNews(message);
    setEdited(undefined);
  }

  if (products.length === 0) return <NoProducts />;
  return (
    <div className="space-y-4">
      {news !== undefined && <Notice kind="ok">{news}</Notice>}
      <table className={TABLE}>
        <caption className="sr-only">All products, with their stock</caption>
        <thead className={HEAD}>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className="text-right max-md:hidden">
              Price
            </th>
            <th scope="col" className="text-right max-xl:hidden">
              Weight
            </th>
            <th scope="col">Stock</th>
            <th scope="col" className="max-md:hidden">
              Available
            </th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {products.map((product) => (
            <ProductRow key={product.id} product={product} onEdit={() => edit(product)} />
          ))}
        </tbody>
      </table>
      {edited && <ProductEditor product={edited} onClose={() => setEdited(undefined)} onSaved={finish} />}
    </div>
  );
}

function ProductRow({ product, onEdit }: { product: Product; onEdit: () => void }) {
  return (
    <tr>
      <th scope="row" className={`${CELL} font-medium break-words`}>
        {product.name}
        {!product.active && <span className="block text-sm font-normal text-muted">Not on sale</span>}
        <span className="block text-sm font-normal text-muted md:hidden">
          <Money amount={product.price} /> · {product.available} available
        </span>
      </th>
      <td className={`${CELL} text-right max-md:hidden`}>
        <Money amount={product.price} />
      </td>
      <td className={`${CELL} text-right whitespace-nowrap tabular-nums max-xl:hidden`}>
        {formatWeight(product.weight_pounds)}
      </td>
      <td className={CELL}>
        <StockEditor product={product} />
      </td>
      <td className={`${CELL} whitespace-nowrap max-md:hidden`}>
        <span className="mr-2 inline-block min-w-8 text-right tabular-nums">{product.available}</span>
        <Stock available={product.available} />
      </td>
      <td className={CELL}>
        <Actions product={product} onEdit={onEdit} />
      </td>
    </tr>
  );
}

function Actions({ product, onEdit }: { product: Product; onEdit: () => void }) {
  return (
    <div className="flex items-center justify-end gap-1">
      <Button look="quiet" onClick={onEdit} aria-label={`Edit ${product.name}`}>
        <Pencil aria-hidden className="size-4" />
        <span className="max-sm:hidden">Edit</span>
      </Button>
      <div className="max-sm:hidden">
        <ActiveToggle product={product} />
      </div>
    </div>
  );
}

function NoProducts() {
  return (
    <Card className="py-12 text-center">
      <p className="text-lg">There is nothing to sell yet.</p>
      <p className="text-muted">Add the first product below.</p>
    </Card>
  );
}

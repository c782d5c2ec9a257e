import { Pencil } from "lucide-react";
import { useState } from "react";
import { formatWeight, type Product } from "../../shared/rules";
import { StockBadge } from "../../shared/ui/badge";
import { Button } from "../../shared/ui/button";
import { EmptyState } from "../../shared/ui/empty-state";
import { Money } from "../../shared/ui/money";
import { Notice } from "../../shared/ui/notice";
import { Table, type Column } from "../../shared/ui/table";
import { ActiveToggle } from "./active-toggle";
import { ProductEditor } from "./product-editor";
import { StockEditor } from "./stock-editor";

export function ProductsTable({ products }: { products: Product[] }) {
  const [edited, setEdited] = useState<Product>();
  const [message, setMessage] = useState<string>();

  function edit(product: Product) {
    setMessage(undefined);
    setEdited(product);
  }

  function finish(result: string) {
    setMessage(result);
    setEdited(undefined);
  }

  if (products.length === 0) return <NoProducts />;
  return (
    <div className="space-y-4">
      {message !== undefined && <Notice kind="success">{message}</Notice>}
      <Table caption="All products and their stock" columns={columns(edit)} rows={products} />
      {edited && <ProductEditor product={edited} onClose={() => setEdited(undefined)} onSaved={finish} />}
    </div>
  );
}

function columns(edit: (product: Product) => void): Column<Product>[] {
  return [
    { title: "Name", className: "break-words", cell: (product) => <Name product={product} /> },
    { title: "Price", className: "text-right max-md:hidden", cell: (product) => <Money amount={product.price} /> },
    {
      title: "Weight",
      className: "text-right whitespace-nowrap tabular-nums max-xl:hidden",
      cell: (product) => formatWeight(product.weight_pounds),
    },
    { title: "Stock", cell: (product) => <StockEditor product={product} /> },
    {
      title: "Available",
      className: "whitespace-nowrap max-md:hidden",
      cell: ({ available }) => (
        <>
          <span className="mr-2 inline-block min-w-8 text-right tabular-nums">{available}</span>
          <StockBadge available={available} />
        </>
      ),
    },
    {
      title: "Actions",
      titleClassName: "sr-only",
      cell: (product) => <Actions product={product} onEdit={() => edit(product)} />,
    },
  ];
}

function Name({ product }: { product: Product }) {
  return (
    <>
      {product.name}
      {!product.active && <span className="block text-sm font-normal text-muted">Hidden</span>}
      <span className="block text-sm font-normal text-muted md:hidden">
        <Money amount={product.price} /> · {product.available} available
      </span>
    </>
  );
}

function Actions({ product, onEdit }: { product: Product; onEdit: () => void }) {
  return (
    <div className="flex items-center justify-end gap-1">
      <Button variant="ghost" onClick={onEdit} aria-label={`Edit ${product.name}`}>
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
    <EmptyState title={<p className="text-xl font-semibold">No products yet</p>} text="Add your first product below." />
  );
}

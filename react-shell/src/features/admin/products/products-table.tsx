import { History, Pencil } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import type { FormResult } from "../../../shared/form-result";
import { stockBadge, stockLabel, type Product } from "../../../shared/rules";
import { StockBadge } from "../../../shared/ui/badge";
import { Button } from "../../../shared/ui/button";
import { buttonClass } from "../../../shared/ui/button-class";
import { ShopLink } from "../../../shared/ui/link";
import { Money } from "../../../shared/ui/money";
import { Table, type Column } from "../../../shared/ui/table";
import { ActiveToggle } from "./active-toggle";
import { DuplicateButton } from "./duplicate-button";
import { ProductEditor } from "./product-editor";
import { SortLink, sortDirection } from "./sort-link";
import { StockEditor } from "./stock-editor";
import { adminPaths } from "../shared/paths";

interface Props {
  products: Product[];
  onResult: (result: FormResult | undefined) => void;
}

export function ProductsTable({ products, onResult }: Props) {
  const [edited, setEdited] = useState<Product>();
  const [params] = useSearchParams();

  function edit(product: Product) {
    onResult(undefined);
    setEdited(product);
  }

  function finish(message: string) {
    onResult({ kind: "succeeded", message });
    setEdited(undefined);
  }

  return (
    <>
      <Table caption="Products and their stock" columns={columns(params, edit, onResult)} rows={products} />
      {edited && <ProductEditor product={edited} onClose={() => setEdited(undefined)} onSaved={finish} />}
    </>
  );
}

function columns(
  params: URLSearchParams,
  edit: (product: Product) => void,
  onResult: (result: FormResult) => void,
): Column<Product>[] {
  const sortable = (title: string, column: string) => ({
    title,
    heading: <SortLink title={title} column={column} />,
    sort: sortDirection(params, column),
  });
  return [
    { ...sortable("Name", "name"), className: "w-full break-words", cell: (product) => <Name product={product} /> },
    {
      title: "Price",
      heading: <SortLink title="Price" column="price" align="right" />,
      sort: sortDirection(params, "price"),
      className: "text-right max-lg:hidden",
      cell: (product) => <Money amount={product.price} />,
    },
    { ...sortable("Stock", "stock"), cell: (product) => <StockEditor product={product} /> },
    {
      ...sortable("Available", "available"),
      className: "whitespace-nowrap max-lg:hidden",
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
      cell: (product) => <Actions product={product} onEdit={() => edit(product)} onResult={onResult} />,
    },
  ];
}

function Name({ product }: { product: Product }) {
  return (
    <>
      {product.name}
      {!product.active && <span className="block text-sm font-normal text-muted">Hidden</span>}
      <span className="block text-sm font-normal text-muted lg:hidden">
        <Money amount={product.price} /> · {product.available} available
      </span>
      {stockBadge(product.available) !== "in_stock" && (
        <span className="block text-sm font-medium text-warn lg:hidden">{stockLabel(product.available)}</span>
      )}
    </>
  );
}

interface ActionsProps {
  product: Product;
  onEdit: () => void;
  onResult: (result: FormResult) => void;
}

function Actions({ product, onEdit, onResult }: ActionsProps) {
  return (
    <div className="flex items-center justify-end max-sm:grid max-sm:grid-cols-[auto_auto] max-[24rem]:grid-cols-1">
      <Button variant="ghost" className="px-3" onClick={onEdit} title="Edit" aria-label={`Edit ${product.name}`}>
        <Pencil aria-hidden className="size-4" />
      </Button>
      <ShopLink
        to={adminPaths.stock(product.id)}
        className={`${buttonClass("ghost")} px-3`}
        title="Stock history"
        aria-label={`Stock history of ${product.name}`}
      >
        <History aria-hidden className="size-4" />
      </ShopLink>
      {/* The narrowest phones have no room for these. */}
      <div className="max-[24rem]:hidden">
        <DuplicateButton product={product} onResult={onResult} />
      </div>
      <div className="max-[24rem]:hidden">
        <ActiveToggle product={product} />
      </div>
    </div>
  );
}

import { useLoaderData, useRouteError, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { ApiError } from "../../../shared/api-client";
import { requireAdmin } from "../../../shared/auth-guard";
import type { FormResult } from "../../../shared/form-result";
import { StockBadge } from "../../../shared/ui/badge";
import { buttonClass } from "../../../shared/ui/button-class";
import { EmptyState } from "../../../shared/ui/empty-state";
import { ShopLink } from "../../../shared/ui/link";
import { Page } from "../../../shared/ui/page";
import { Pagination } from "../../../shared/ui/pagination";
import { RouteError } from "../../../shared/ui/route-error";
import { getStockLedger, type StockLedger } from "./api";
import { MovementsTable } from "./stock-movements-table";
import { saveStockForm } from "./save-stock-ledger";
import { CorrectForm, ReceiveForm, ThresholdForm } from "./stock-ledger-forms";
import { adminPaths } from "../shared/paths";

const MOVEMENTS_PER_PAGE = 25;

export function loader({ params, request }: LoaderFunctionArgs): Promise<StockLedger> {
  requireAdmin(request);
  const page = new URL(request.url).searchParams.get("page") || "1";
  return getStockLedger(params["id"] ?? "", new URLSearchParams({ page, limit: String(MOVEMENTS_PER_PAGE) }));
}

export async function action({ params, request }: ActionFunctionArgs): Promise<FormResult> {
  requireAdmin(request);
  return saveStockForm(params["id"] ?? "", await request.formData());
}

export function Component() {
  const {
    product,
    low_stock_threshold: lowStockThreshold,
    movements,
    page,
    totalPages,
    total,
  } = useLoaderData<StockLedger>();
  return (
    <Page
      title={`Stock of ${product.name}`}
      aside={
        <ShopLink to={adminPaths.products} className={buttonClass("secondary")}>
          All Products
        </ShopLink>
      }
    >
      <p className="mb-6 flex flex-wrap items-center gap-x-6 gap-y-2 tabular-nums">
        <span>
          <strong>{product.stock.toLocaleString("en-US")}</strong> in stock
        </span>
        <span>
          <strong>{product.available.toLocaleString("en-US")}</strong> available
        </span>
        <StockBadge available={product.available} />
        {!product.active && <span className="text-muted">Hidden</span>}
      </p>
      <div className="mb-8 grid gap-6 md:grid-cols-2 xl:grid-cols-3">
        <ReceiveForm />
        <CorrectForm product={product} />
        <ThresholdForm threshold={lowStockThreshold} />
      </div>
      <h2 className="mb-3 text-xl">Movements</h2>
      <p role="status" className="mb-3 text-sm text-muted tabular-nums">
        {describe(total, page, totalPages)}
      </p>
      {movements.length > 0 && <MovementsTable movements={movements} />}
      <Pagination page={page} totalPages={totalPages} />
    </Page>
  );
}

function describe(total: number, page: number, totalPages: number): string {
  const count = `${total.toLocaleString("en-US")} ${total === 1 ? "movement" : "movements"}`;
  return totalPages > 1 ? `${count}, page ${page} of ${totalPages}` : count;
}

export function ErrorBoundary() {
  const error = useRouteError();
  const isUnknown = error instanceof ApiError && error.status === 404;
  return (
    <Page title="Stock">
      {isUnknown ? <ProductNotFound /> : <RouteError message="Failed to fetch the stock. Please try again later." />}
    </Page>
  );
}

function ProductNotFound() {
  return (
    <EmptyState
      title={
        <p role="alert" className="text-xl font-semibold">
          Product not found
        </p>
      }
      action={
        <ShopLink to={adminPaths.products} className={buttonClass("primary")}>
          All Products
        </ShopLink>
      }
    />
  );
}

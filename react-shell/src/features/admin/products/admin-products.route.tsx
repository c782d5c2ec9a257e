import { useState } from "react";
import {
  useLoaderData,
  useLocation,
  useSearchParams,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "react-router";
import { failed, fieldValue, succeeded, type FormResult } from "../../../shared/form-result";
import { deferred } from "../../../shared/deferred";
import { requireAdmin } from "../../../shared/auth-guard";
import { buttonClass } from "../../../shared/ui/button-class";
import { Deferred } from "../../../shared/ui/deferred";
import { EmptyState } from "../../../shared/ui/empty-state";
import { FormResultNotice } from "../../../shared/ui/form-result-notice";
import { ShopLink } from "../../../shared/ui/link";
import { Page } from "../../../shared/ui/page";
import { Pagination } from "../../../shared/ui/pagination";
import { RouteError } from "../../../shared/ui/route-error";
import { TableSkeleton } from "../../../shared/ui/skeleton";
import { AddProduct } from "./add-product";
import { listAllProducts, type ProductPage } from "../shared/api";
import { ProductFilters } from "./product-filters";
import { describeRange, productQuery } from "./product-list";
import { ProductsTable } from "./products-table";
import { duplicate, saveActive, saveNewProduct, saveProduct, saveStock } from "./save-product";

interface Loaded {
  page: Promise<ProductPage>;
}

export function loader({ request }: LoaderFunctionArgs): Loaded {
  requireAdmin(request);
  return { page: deferred(listAllProducts(productQuery(request.url))) };
}

export async function action({ request }: ActionFunctionArgs): Promise<FormResult> {
  requireAdmin(request);
  const form = await request.formData();
  switch (fieldValue(form, "intent")) {
    case "add":
      return saveNewProduct(form);
    case "edit":
      return saveProduct(form);
    case "duplicate":
      return duplicate(form);
    case "active":
      return saveActive(form);
    case "stock":
      return saveStock(form);
    default:
      return failed("Unknown form.");
  }
}

export function Component() {
  const { page } = useLoaderData<Loaded>();
  const [result, setResult] = useState<FormResult>();
  return (
    <Page title="Products" aside={<AddProduct onAdded={(message) => setResult(succeeded(message))} />}>
      <ProductFilters />
      <div className="space-y-4">
        <FormResultNotice result={result} />
        <Deferred
          data={page}
          skeleton={<TableSkeleton rows={4} columns={4} lines={1} />}
          failure={<RouteError message="Failed to fetch products" />}
        >
          {(loaded) => <Products page={loaded} onResult={setResult} />}
        </Deferred>
      </div>
    </Page>
  );
}

function Products({ page, onResult }: { page: ProductPage; onResult: (result: FormResult | undefined) => void }) {
  return (
    <>
      <p role="status" className="text-sm text-muted tabular-nums">
        {describeRange(page)}
      </p>
      {page.products.length === 0 ? (
        <NoProducts />
      ) : (
        <>
          <ProductsTable products={page.products} onResult={onResult} />
          <Pagination page={page.page} totalPages={page.totalPages} />
        </>
      )}
    </>
  );
}

function NoProducts() {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const isFiltered = params.has("q") || params.has("status") || params.has("page");
  if (!isFiltered) {
    return (
      <EmptyState title={<p className="text-xl font-semibold">No products yet</p>} text="Add your first product." />
    );
  }
  return (
    <EmptyState
      title={<p className="text-xl font-semibold">No products found.</p>}
      action={
        <ShopLink to={pathname} className={buttonClass("primary")}>
          Show All Products
        </ShopLink>
      }
    />
  );
}

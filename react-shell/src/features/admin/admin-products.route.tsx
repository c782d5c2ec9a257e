import { useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { failed, fieldValue, type FormResult } from "../../shared/form-result";
import type { Product } from "../../shared/rules";
import { deferred } from "../../shared/deferred";
import { requireAdmin } from "../../shared/auth-guard";
import { Deferred } from "../../shared/ui/deferred";
import { Page } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { TableSkeleton } from "../../shared/ui/skeleton";
import { AddProduct } from "./add-product";
import { listProducts } from "./api";
import { ProductsTable } from "./products-table";
import { saveActive, saveNewProduct, saveProduct, saveStock } from "./save-product";

interface Loaded {
  products: Promise<Product[]>;
}

export function loader({ request }: LoaderFunctionArgs): Loaded {
  requireAdmin(request);
  return { products: deferred(listProducts()) };
}

export async function action({ request }: ActionFunctionArgs): Promise<FormResult> {
  requireAdmin(request);
  const form = await request.formData();
  switch (fieldValue(form, "intent")) {
    case "add":
      return saveNewProduct(form);
    case "edit":
      return saveProduct(form);
    case "active":
      return saveActive(form);
    case "stock":
      return saveStock(form);
    default:
      return failed("Unknown form.");
  }
}

export function Component() {
  const { products } = useLoaderData<Loaded>();
  return (
    <Page title="Products">
      <Deferred
        data={products}
        skeleton={<TableSkeleton rows={4} columns={4} lines={1} />}
        failure={<RouteError message="Failed to fetch products" />}
      >
        {(loaded) => (
          <div className="space-y-8">
            <ProductsTable products={loaded} />
            <AddProduct />
          </div>
        )}
      </Deferred>
    </Page>
  );
}

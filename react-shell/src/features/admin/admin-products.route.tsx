import { useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { failed, text, type Outcome } from "../../shared/outcome";
import type { Product } from "../../shared/rules";
import { onItsWay } from "../../shared/on-its-way";
import { requireAdmin } from "../../shared/signed-in";
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
  return { products: onItsWay(listProducts()) };
}

export async function action({ request }: ActionFunctionArgs): Promise<Outcome> {
  requireAdmin(request);
  const form = await request.formData();
  switch (text(form, "intent")) {
    case "add":
      return saveNewProduct(form);
    case "edit":
      return saveProduct(form);
    case "active":
      return saveActive(form);
    case "stock":
      return saveStock(form);
    default:
      return failed("There is no such form.");
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

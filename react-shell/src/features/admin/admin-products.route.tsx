import { useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { failed, text, type Outcome } from "../../shared/outcome";
import { formatWeight, type Product } from "../../shared/rules";
import { requireAdmin } from "../../shared/signed-in";
import { Stock } from "../../shared/ui/badge";
import { Money } from "../../shared/ui/money";
import { Page } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { CELL, HEAD, TABLE } from "../../shared/ui/table";
import { AddProduct } from "./add-product";
import { listProducts } from "./api";
import { saveNewProduct, saveStock } from "./save-product";
import { StockEditor } from "./stock-editor";

export async function loader({ request }: LoaderFunctionArgs): Promise<Product[]> {
  requireAdmin(request);
  return listProducts();
}

export async function action({ request }: ActionFunctionArgs): Promise<Outcome> {
  requireAdmin(request);
  const form = await request.formData();
  switch (text(form, "intent")) {
    case "add":
      return saveNewProduct(form);
    case "stock":
      return saveStock(form);
    default:
      return failed("There is no such form.");
  }
}

export function Component() {
  const products = useLoaderData<Product[]>();
  return (
    <Page title="Products">
      <div className="space-y-8">
        <table className={TABLE}>
          <caption className="sr-only">All products, with their stock</caption>
          <thead className={HEAD}>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" className="text-right max-sm:hidden">
                Price
              </th>
              <th scope="col" className="text-right max-md:hidden">
                Weight
              </th>
              <th scope="col">Stock</th>
              <th scope="col" className="max-md:hidden">
                Available
              </th>
            </tr>
          </thead>
          <tbody>
            {products.map((product) => (
              <ProductRow key={product.id} product={product} />
            ))}
          </tbody>
        </table>
        <AddProduct />
      </div>
    </Page>
  );
}

export function ErrorBoundary() {
  return <RouteError message="Failed to fetch products" />;
}

function ProductRow({ product }: { product: Product }) {
  return (
    <tr>
      <th scope="row" className={`${CELL} font-medium`}>
        {product.name}
        {!product.active && <span className="block text-sm font-normal text-muted">Not on sale</span>}
        <span className="block text-sm font-normal text-muted sm:hidden">
          <Money amount={product.price} />
        </span>
      </th>
      <td className={`${CELL} text-right max-sm:hidden`}>
        <Money amount={product.price} />
      </td>
      <td className={`${CELL} text-right tabular-nums max-md:hidden`}>{formatWeight(product.weight_pounds)}</td>
      <td className={CELL}>
        {/* A new count from the server starts the field anew. */}
        <StockEditor key={product.stock} product={product} />
      </td>
      <td className={`${CELL} max-md:hidden`}>
        <span className="mr-2 tabular-nums">{product.available}</span>
        <Stock available={product.available} />
      </td>
    </tr>
  );
}

import { useLoaderData } from "react-router";
import { paths } from "../../shared/paths";
import type { Product } from "../../shared/rules";
import { Stock } from "../../shared/ui/badge";
import { ShopLink } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { Page } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { listProducts } from "./api";

export const loader = () => listProducts();

export function Component() {
  const products = useLoaderData<Product[]>();
  return (
    <Page title="Products">
      {products.length === 0 && <p className="text-lg text-muted">There is nothing on sale at the moment.</p>}
      <ul className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
        {products.map((product) => (
          <li key={product.id}>
            <ProductCard product={product} />
          </li>
        ))}
      </ul>
    </Page>
  );
}

export function ErrorBoundary() {
  return <RouteError message="Failed to fetch products" />;
}

/** The whole card leads to the product; its only link is the name, so that it is read out once. */
function ProductCard({ product }: { product: Product }) {
  return (
    <article className="relative flex h-full flex-col rounded-card border border-line bg-card p-5 shadow-card focus-within:border-edge hover:border-edge">
      <img src={product.image} alt="" width={320} height={240} className="mb-4 aspect-4/3 w-full object-contain" />
      <h2 className="text-xl">
        <ShopLink to={paths.product(product.slug)} className="after:absolute after:inset-0 after:rounded-card">
          {product.name}
        </ShopLink>
      </h2>
      <p className="mt-2 mb-4 line-clamp-3 text-muted">{product.description}</p>
      <p className="mt-auto flex flex-wrap items-center justify-between gap-3">
        <span className="text-lg font-semibold">
          <Money amount={product.price} />
        </span>
        <Stock available={product.available} />
      </p>
    </article>
  );
}

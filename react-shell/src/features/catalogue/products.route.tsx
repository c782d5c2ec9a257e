import { useLoaderData } from "react-router";
import { firstPaint } from "../../shared/first-paint";
import type { Product } from "../../shared/rules";
import { ProductList } from "../../shared/rust-pages";
import { PageHead } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { listProducts } from "./api";

export const loader = () => firstPaint()?.products ?? listProducts();

export function Component() {
  const products = useLoaderData<Product[]>();
  return (
    <>
      <PageHead title="Products" />
      <ProductList products={products} />
    </>
  );
}

export function ErrorBoundary() {
  return <RouteError message="Failed to fetch products" />;
}

import { useMemo } from "react";
import { useLoaderData, useRouteError, type LoaderFunctionArgs } from "react-router";
import { ApiError } from "../../shared/api-client";
import { firstPaint } from "../../shared/first-paint";
import { addToCart, type Product } from "../../shared/rules";
import { ProductNotFound, ProductPage } from "../../shared/rust-pages";
import { PageHead } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { readCart, writeCart } from "../cart/cart-store";
import { findProduct } from "./api";

export function loader({ params }: LoaderFunctionArgs) {
  const name = params["name"] ?? "";
  return firstPaint()?.products?.find((product) => product.slug === name) ?? findProduct(name);
}

export function Component() {
  const product = useLoaderData<Product>();
  const props = useMemo(() => ({ product }), [product]);

  /** Adds to the cart without a request; returns the error message of an invalid quantity. */
  function add(quantity: string): string | undefined {
    const result = addToCart(readCart(), product, Number(quantity));
    if (!result.ok) return result.error;
    writeCart(result.cart);
    return undefined;
  }

  return (
    <>
      <PageHead title={product.name} />
      <ProductPage key={product.id} props={props} events={{ addToCart: add }} />
    </>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  if (!(error instanceof ApiError) || error.status !== 404) return <RouteError message="Failed to fetch products" />;
  return (
    <>
      <PageHead title="Product not found." />
      <ProductNotFound />
    </>
  );
}

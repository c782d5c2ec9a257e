import { useRef } from "react";
import { useLoaderData, useRouteError, type LoaderFunctionArgs } from "react-router";
import { ApiError } from "../../shared/api-client";
import { useArrivalEstimate } from "../../shared/arrival-estimate";
import { firstPaint } from "../../shared/first-paint";
import { useRootData } from "../../shared/root-data";
import { addToCart, type Product } from "../../shared/rules";
import { ProductNotFound, ProductPage } from "../../shared/rust-pages";
import { PageHead } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { readCart, writeCart } from "../cart/cart-store";
import { forgetEarlyAdd } from "../cart/early-add";
import { useCart } from "../cart/use-cart";
import { findProduct, listRelatedProducts } from "./api";
import { useBackInStock } from "./use-back-in-stock";

const DOUBLE_CLICK_MS = 400;

interface PageData {
  product: Product;
  related: Product[];
}

/** If the related products fail to load, the page is shown without them. */
export async function loader({ params }: LoaderFunctionArgs): Promise<PageData> {
  const name = params["name"] ?? "";
  const [embedded, ...others] = firstPaint()?.products ?? [];
  if (embedded?.slug === name) return { product: embedded, related: others };
  const [product, related] = await Promise.all([findProduct(name), listRelatedProducts(name).catch(() => [])]);
  return { product, related };
}

export function Component() {
  const { product, related } = useLoaderData<PageData>();
  const { config } = useRootData();
  const inCart = useCart().find((line) => line.id === product.id)?.quantity ?? 0;
  const { shipping_rates: shippingRates, delivery, return_days: returnDays, return_shipping: returnShipping } = config;
  const arrival = useArrivalEstimate();
  const { backInStock, emailWhenBack } = useBackInStock(product.id);

  const lastPress = useRef({ at: -Infinity, quantity: "" });

  /**
   * Adds to the cart without a request; returns the error message of an invalid quantity. The second press of a double
   * click is ignored.
   */
  function add(quantity: string): string | undefined {
    const { at, quantity: pressed } = lastPress.current;
    const now = performance.now();
    if (pressed === quantity && now - at < DOUBLE_CLICK_MS) return undefined;
    lastPress.current = { at: now, quantity };
    forgetEarlyAdd();
    // Number("") is 0, which nobody typed.
    const result = addToCart(readCart(), product, quantity.trim() === "" ? Number.NaN : Number(quantity));
    if (!result.ok) return result.error;
    writeCart(result.cart);
    return undefined;
  }

  return (
    <>
      <PageHead title={product.name} />
      <ProductPage
        key={product.id}
        props={{ product, related, inCart, shippingRates, delivery, arrival, returnDays, returnShipping, backInStock }}
        events={{ addToCart: add, emailWhenBack }}
      />
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

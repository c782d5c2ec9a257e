import { useLoaderData, useRouteError, type LoaderFunctionArgs } from "react-router";
import { ApiError } from "../../shared/api-client";
import { paths } from "../../shared/paths";
import type { Product } from "../../shared/rules";
import { Stock } from "../../shared/ui/badge";
import { buttonClass } from "../../shared/ui/button-class";
import { ShopLink } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { Card, Page } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { AddToCart } from "./add-to-cart";
import { findProduct } from "./api";

export const loader = ({ params }: LoaderFunctionArgs) => findProduct(params["name"] ?? "");

export function Component() {
  const product = useLoaderData<Product>();
  return (
    <Page title={product.name}>
      <div className="grid items-start gap-8 lg:grid-cols-2">
        <img
          src={product.image}
          alt={`Drawing of ${product.name}`}
          width={640}
          height={480}
          className="aspect-4/3 w-full rounded-card border border-line bg-card object-contain p-6"
        />
        <Card className="space-y-5">
          <p className="flex flex-wrap items-center justify-between gap-3">
            <span className="text-2xl font-semibold">
              <Money amount={product.price} />
            </span>
            <Stock available={product.available} />
          </p>
          <p className="whitespace-pre-line">{product.description}</p>
          <AddToCart key={product.id} product={product} />
        </Card>
      </div>
    </Page>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  if (!(error instanceof ApiError) || error.status !== 404) return <RouteError message="Failed to fetch products" />;
  return (
    <Page title="Product not found." width="text">
      <p className="mb-6 text-lg text-muted">It may have been renamed, or it is no longer sold.</p>
      <ShopLink to={paths.products} className={buttonClass("primary")}>
        See the lights
      </ShopLink>
    </Page>
  );
}

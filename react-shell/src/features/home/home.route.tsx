import { useLoaderData } from "react-router";
import { request } from "../../shared/api-client";
import { firstPaint } from "../../shared/first-paint";
import { useRootData } from "../../shared/root-data";
import type { Product, ProductList } from "../../shared/rules";
import { HomePage } from "../../shared/rust-pages";
import { PageHead } from "../../shared/ui/page";
import { useHomeLamp } from "./home-lamp";

/** Products on the home page. The server renders as many. */
const FEATURED = 4;

/** If the products fail to load, the page is shown without them. */
export async function loader(): Promise<Product[]> {
  const embedded = firstPaint()?.products;
  if (embedded !== undefined) return embedded;
  const list = await request<ProductList>("GET", "/api/product-list").catch(() => undefined);
  return list?.products.slice(0, FEATURED) ?? [];
}

export function Component() {
  const { config } = useRootData();
  const products = useLoaderData<Product[]>();
  const { hour, lamp, chooseHour } = useHomeLamp();
  return (
    <>
      <PageHead title={config.shop_name} />
      <HomePage props={{ shopName: config.shop_name, products, hour, lamp }} events={{ chooseHour }} />
    </>
  );
}

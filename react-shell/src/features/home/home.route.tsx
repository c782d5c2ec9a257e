import { useLoaderData } from "react-router";
import { request } from "../../shared/api-client";
import { firstPaint } from "../../shared/first-paint";
import { keepOwnLine } from "../../shared/own-line";
import { useRootData } from "../../shared/root-data";
import type { Product, ProductList } from "../../shared/rules";
import { HomePage } from "../../shared/rust-pages";
import { PageHead } from "../../shared/ui/page";
import { useHeroLamp } from "./hero-lamp";

/** Products on the home page. The server renders as many. */
const FEATURED = 4;

/** The featured products, and the cheapest one, whose price the page names. If they fail to load, the page is shown without them. */
export async function loader(): Promise<Product[]> {
  const embedded = firstPaint()?.products;
  if (embedded !== undefined) return embedded;
  const [featured, cheapest] = await Promise.all([firstOf("", FEATURED), firstOf("?sort=price", 1)]);
  const isFeatured = (product: Product) => featured.some(({ id }) => id === product.id);
  return [...featured, ...cheapest.filter((product) => !isFeatured(product))];
}

/** The first products of a list. */
async function firstOf(query: string, count: number): Promise<Product[]> {
  const list = await request<ProductList>("GET", `/api/product-list${query}`).catch(() => undefined);
  return list?.products.slice(0, count) ?? [];
}

export function Component() {
  const { config } = useRootData();
  const products = useLoaderData<Product[]>();
  const { line, lamp, changeLine, chooseDaypart } = useHeroLamp();
  return (
    <>
      <PageHead title={config.shop_name} />
      <HomePage
        props={{ shopName: config.shop_name, products, line, lamp }}
        events={{ changeLine, chooseDaypart, takeHome: keepOwnLine }}
      />
    </>
  );
}

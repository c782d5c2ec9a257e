import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { request } from "../../shared/api-client";
import { firstPaint } from "../../shared/first-paint";
import { useLightDialog } from "../../shared/light/use-light-dialog";
import { useOfflinePages } from "../../shared/offline";
import type { Product, ProductList } from "../../shared/rules";
import { loadLab, useLabView, viewerProps, type Lab } from "../../shared/rust-lab";
import { PageHead } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";

/** Products on the page. The server renders as many. */
const FEATURED = 4;

interface PageData {
  lab: Lab;
  slug: string;
  products: Product[];
}

/** If the products fail to load, the page is shown without them. */
export async function loader({ params }: LoaderFunctionArgs): Promise<PageData> {
  const [lab, products] = await Promise.all([loadLab(), firstPaint()?.products ?? listProducts()]);
  return { lab, slug: params["slug"] ?? "", products };
}

async function listProducts(): Promise<Product[]> {
  const list = await request<ProductList>("GET", "/api/product-list").catch(() => undefined);
  return list?.products.slice(0, FEATURED) ?? [];
}

export function Component() {
  useOfflinePages();
  const data = useLoaderData<PageData>();
  return (
    <>
      <PageHead title={data.lab.recipeName(data.slug) ?? "Recipe not found."} />
      <Recipe key={data.slug} {...data} />
    </>
  );
}

/** A recipe's lamp, week and file. */
function Recipe({ lab, slug, products }: PageData) {
  const { open, dialog } = useLightDialog();
  const host = useLabView((element, clock) =>
    lab.mountRecipe(element, { slug, products, ...viewerProps() }, { ...clock, saveToLight: open }),
  );
  return (
    <>
      <div ref={host} />
      {dialog}
    </>
  );
}

export function ErrorBoundary() {
  return <RouteError message="Couldn’t load this recipe" />;
}

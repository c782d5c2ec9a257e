import { useEffect, useRef } from "react";
import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { firstPaint } from "../../shared/first-paint";
import { focusPageHeading } from "../../shared/focus";
import type { ProductList as List } from "../../shared/rules";
import { ProductList } from "../../shared/rust-pages";
import { PageHead } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { findProductList } from "./api";

export function loader({ request }: LoaderFunctionArgs) {
  return firstPaint()?.list ?? findProductList(new URL(request.url).search);
}

export function Component() {
  const list = useLoaderData<List>();
  const { page } = list.query;
  usePageFocus(list.query);
  return (
    <>
      <PageHead title={page === 1 ? "Products" : `Products, page ${page}`} />
      <ProductList list={list} />
    </>
  );
}

/** Focuses the heading of another page of the same list. A new search or order leaves the focus where it is. */
function usePageFocus(query: List["query"]): void {
  const previous = useRef(query);
  useEffect(() => {
    const last = previous.current;
    previous.current = query;
    const isSameList = last.search === query.search && last.sort === query.sort;
    if (isSameList && last.page !== query.page) focusPageHeading();
  }, [query]);
}

export function ErrorBoundary() {
  return <RouteError message="Failed to fetch products" />;
}

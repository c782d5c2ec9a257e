import { ArrowDown, ArrowUp } from "lucide-react";
import { Link, useLocation, useSearchParams } from "react-router";

interface Props {
  title: string;
  /** The name in the query; a hyphen in front reverses the order. */
  column: string;
  /** "right" above numbers: the title ends where they end. */
  align?: "right";
}

/** The heading of a column that sorts the table, and on the next use reverses the order. */
export function SortLink({ title, column, align }: Props) {
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const direction = sortDirection(params, column);
  const next = new URLSearchParams(params);
  next.set("sort", direction === "ascending" ? `-${column}` : column);
  next.delete("page");
  const Arrow = direction === "descending" ? ArrowDown : ArrowUp;
  return (
    <Link
      to={`${pathname}?${next}`}
      className={`inline-flex min-h-6 items-center gap-1 hover:text-ink ${align === "right" ? "flex-row-reverse" : ""}`}
    >
      {title}
      <Arrow aria-hidden className={`size-4 shrink-0 ${direction === undefined ? "opacity-0" : "text-ink"}`} />
    </Link>
  );
}

/** The column's order, as `aria-sort` has it; undefined if the table has another order. */
export function sortDirection(params: URLSearchParams, column: string): "ascending" | "descending" | undefined {
  const sort = params.get("sort");
  if (sort === column) return "ascending";
  return sort === `-${column}` ? "descending" : undefined;
}

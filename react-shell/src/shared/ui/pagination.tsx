import { ChevronLeft, ChevronRight } from "lucide-react";
import { Link, useLocation } from "react-router";

const CELL = "inline-flex min-h-11 min-w-11 items-center justify-center rounded-field px-3";

interface Props {
  page: number;
  totalPages: number;
  /** The parameter of the URL query; a page with two lists needs two. */
  parameter?: string;
  label?: string;
}

/** Links to other pages. They change the parameter in the URL query and keep the others. */
export function Pagination({ page, totalPages, parameter = "page", label = "Pages" }: Props) {
  const { pathname, search } = useLocation();
  if (totalPages <= 1) return null;

  function pageUrl(target: number) {
    const params = new URLSearchParams(search);
    params.set(parameter, String(target));
    return `${pathname}?${params}`;
  }

  return (
    <nav aria-label={label} className="mt-6 flex flex-wrap items-center justify-center gap-1">
      {page > 1 && (
        <Link to={pageUrl(page - 1)} rel="prev" className={`${CELL} hover:bg-line/60`}>
          <ChevronLeft aria-hidden className="size-5" />
          <span className="sr-only">Previous page</span>
        </Link>
      )}
      {visiblePages(page, totalPages).map((number) => (
        <Link
          key={number}
          to={pageUrl(number)}
          aria-label={`Page ${number}`}
          aria-current={number === page ? "page" : undefined}
          className={`${CELL} ${number === page ? "bg-ink font-semibold text-paper" : "hover:bg-line/60"}`}
        >
          {number}
        </Link>
      ))}
      {page < totalPages && (
        <Link to={pageUrl(page + 1)} rel="next" className={`${CELL} hover:bg-line/60`}>
          <ChevronRight aria-hidden className="size-5" />
          <span className="sr-only">Next page</span>
        </Link>
      )}
    </nav>
  );
}

/** The first, the last, and two on each side of the current page. */
function visiblePages(page: number, totalPages: number): number[] {
  return Array.from({ length: totalPages }, (_, index) => index + 1).filter(
    (number) => number === 1 || number === totalPages || Math.abs(number - page) <= 2,
  );
}

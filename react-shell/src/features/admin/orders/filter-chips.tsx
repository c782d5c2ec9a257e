import { X } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { activeFilters } from "./order-filter";
import { adminPaths } from "../shared/paths";

/** The active filters, each with a link that removes it. */
export function FilterChips() {
  const [params] = useSearchParams();
  const filters = activeFilters(params);
  if (filters.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="mb-4 flex flex-wrap gap-2">
      {filters.map(({ name, label, without }) => (
        <li key={name} className="max-w-full">
          <Link
            to={without === "" ? adminPaths.orders : `${adminPaths.orders}?${without}`}
            className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border border-edge bg-card py-1 pr-2 pl-3 text-sm hover:bg-line/60"
          >
            <span className="sr-only">Remove filter:</span> <span className="truncate">{label}</span>
            <X aria-hidden className="size-4 shrink-0 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

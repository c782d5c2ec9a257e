import { useRef } from "react";
import { useSearchParams } from "react-router";
import { SelectField, TextField } from "../../../shared/ui/field";
import { FilterForm } from "../../../shared/ui/filter-form";
import { useShortcuts } from "../shared/use-shortcuts";

/** Search and filter of the products table. The order stays. */
export function ProductFilters() {
  const [params] = useSearchParams();
  const search = useRef<HTMLDivElement>(null);
  useShortcuts({
    "/": () => {
      search.current?.querySelector("input")?.select();
    },
  });
  const sort = params.get("sort");
  return (
    <FilterForm>
      {sort !== null && <input type="hidden" name="sort" value={sort} />}
      <div ref={search} className="grow basis-full sm:basis-40">
        <TextField
          label="Search"
          required={false}
          name="q"
          type="search"
          placeholder="Name, SKU, or GTIN"
          aria-keyshortcuts="/"
          maxLength={100}
          defaultValue={params.get("q") ?? ""}
        />
      </div>
      <SelectField
        label="Show"
        required={false}
        className="grow basis-full sm:grow-0 sm:basis-auto"
        name="status"
        defaultValue={params.get("status") ?? ""}
      >
        <option value="">All</option>
        <option value="active">Active</option>
        <option value="hidden">Hidden</option>
        <option value="low_stock">Low stock</option>
      </SelectField>
    </FilterForm>
  );
}

import { useEffect, useState, type RefObject } from "react";
import { useSearchParams } from "react-router";
import { orderStatusFilters, orderStatusLabel, paymentStatusLabel, type Product } from "../../../shared/rules";
import { DateRange } from "../../../shared/ui/date-range";
import { SelectField, TextField } from "../../../shared/ui/field";
import { FilterForm } from "../../../shared/ui/filter-form";
import type { FieldErrors } from "../../../shared/use-field-errors";
import { listProducts } from "./api";
import { COUNTRIES, PAYMENT_STATUSES } from "./order-filter";

const FULL_WIDTH = "grow basis-full sm:grow-0 sm:basis-auto";

interface Props {
  searchRef: RefObject<HTMLDivElement | null>;
  errors: FieldErrors;
}

/** The filter of the order list. */
export function OrderFilters({ searchRef, errors }: Props) {
  const [params] = useSearchParams();
  return (
    <FilterForm>
      <div ref={searchRef} className="grow basis-full sm:basis-40">
        <TextField
          label="Search"
          required={false}
          name="q"
          type="search"
          placeholder="Number, name, email, product…"
          aria-keyshortcuts="/"
          maxLength={254}
          defaultValue={params.get("q") ?? ""}
          error={errors["q"]}
        />
      </div>
      <Choice label="Status" name="status" errors={errors} options={statusOptions()} />
      <DateRange errors={errors} />
      <MoreFilters errors={errors} />
      {params.has("held") && <input type="hidden" name="held" value={params.get("held") ?? ""} />}
      {params.get("sort") && <input type="hidden" name="sort" value={params.get("sort") ?? ""} />}
      {params.has("open_alerts") && <input type="hidden" name="open_alerts" value="true" />}
    </FilterForm>
  );
}

/** Opened at first if one of its filters is active. */
function MoreFilters({ errors }: { errors: FieldErrors }) {
  const [params] = useSearchParams();
  const isActive = ["payment", "country", "product"].some((name) => (params.get(name) ?? "") !== "");
  const [isOpen, setIsOpen] = useState(isActive);
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)} className="order-last basis-full">
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-link">More filters</summary>
      <div className="flex flex-wrap gap-3">
        <Choice label="Payment" name="payment" errors={errors} options={paymentOptions()} />
        <Choice label="Country" name="country" errors={errors} options={Object.entries(COUNTRIES)} />
        {isOpen && <ProductChoice errors={errors} />}
      </div>
    </details>
  );
}

function ProductChoice({ errors }: { errors: FieldErrors }) {
  const products = useProducts();
  const options = products.map((product): [string, string] => [product.id, product.name]);
  // A select loses a value that is not among its options, so it is mounted again when they arrive.
  return <Choice key={options.length} label="Product" name="product" errors={errors} options={options} />;
}

/** Empty while they load, or if they can't be loaded. */
function useProducts(): Product[] {
  const [products, setProducts] = useState<Product[]>([]);
  useEffect(() => {
    listProducts().then(setProducts, () => undefined);
  }, []);
  return products;
}

interface ChoiceProps {
  label: string;
  name: string;
  errors: FieldErrors;
  /** Values with their labels. */
  options: [value: string, label: string][];
}

function Choice({ label, name, errors, options }: ChoiceProps) {
  const [params] = useSearchParams();
  return (
    <SelectField
      label={label}
      required={false}
      className={FULL_WIDTH}
      name={name}
      defaultValue={params.get(name) ?? ""}
      error={errors[name]}
    >
      <option value="">All</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}

const statusOptions = () => orderStatusFilters().map((status): [string, string] => [status, orderStatusLabel(status)]);
const paymentOptions = () => PAYMENT_STATUSES.map((status): [string, string] => [status, paymentStatusLabel(status)]);

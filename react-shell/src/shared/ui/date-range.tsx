import { useState } from "react";
import { useSearchParams } from "react-router";
import type { FieldErrors } from "../use-field-errors";
import { TextField } from "./field";

/** Filter fields for a date range, both days inclusive. The browser doesn't submit a range that ends before it starts. */
export function DateRange({ errors }: { errors: FieldErrors }) {
  const [params] = useSearchParams();
  const [start, setStart] = useState(params.get("startDate") ?? "");
  return (
    <div className="grid grow basis-full grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-3 sm:grow-0 sm:basis-auto sm:grid-cols-[auto_auto]">
      <TextField
        label="From"
        name="startDate"
        type="date"
        required={false}
        className="min-w-0"
        defaultValue={start}
        onChange={(event) => setStart(event.target.value)}
        error={errors["startDate"]}
      />
      <TextField
        label="To"
        name="endDate"
        type="date"
        required={false}
        className="min-w-0"
        min={start === "" ? undefined : start}
        defaultValue={params.get("endDate") ?? ""}
        error={errors["endDate"]}
      />
    </div>
  );
}

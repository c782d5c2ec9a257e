import { useSearchParams } from "react-router";
import type { FieldErrors } from "../use-field-errors";
import { TextField } from "./field";

/** Filter fields for a date range, both days inclusive. */
export function DateRange({ errors }: { errors: FieldErrors }) {
  const [params] = useSearchParams();
  return (
    <>
      <TextField
        label="From"
        name="startDate"
        type="date"
        required={false}
        className="min-w-36 grow sm:grow-0"
        defaultValue={params.get("startDate") ?? ""}
        error={errors["startDate"]}
      />
      <TextField
        label="To"
        name="endDate"
        type="date"
        required={false}
        className="min-w-36 grow sm:grow-0"
        defaultValue={params.get("endDate") ?? ""}
        error={errors["endDate"]}
      />
    </>
  );
}

import { SelectField } from "../../../../shared/ui/field";
import type { Columns, TrackingImport } from "./api";

interface Props {
  preview: TrackingImport;
  onChange: (columns: Columns) => void;
}

/** The columns of the order number and the tracking number, as recognized or chosen. */
export function ColumnFields({ preview, onChange }: Props) {
  const { columns, order_column, tracking_column } = preview;
  return (
    <div className="flex flex-wrap gap-4">
      <ColumnField
        label="Order number column"
        columns={columns}
        value={order_column}
        onChange={(position) => onChange({ order_column: position, tracking_column })}
      />
      <ColumnField
        label="Tracking number column"
        columns={columns}
        value={tracking_column}
        onChange={(position) => onChange({ order_column, tracking_column: position })}
      />
    </div>
  );
}

interface FieldProps {
  label: string;
  columns: string[];
  value: number | undefined;
  onChange: (position: number) => void;
}

function ColumnField({ label, columns, value, onChange }: FieldProps) {
  return (
    <SelectField
      label={label}
      required={false}
      value={value ?? ""}
      error={value === undefined ? "Choose the column." : undefined}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {value === undefined && <option value="">Choose…</option>}
      {columns.map((name, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- names may repeat, positions don't
        <option key={index} value={index + 1}>
          {name === "" ? `Column ${index + 1}` : name}
        </option>
      ))}
    </SelectField>
  );
}

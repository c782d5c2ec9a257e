import { Download } from "lucide-react";
import { useState, type FormEvent } from "react";
import { downloadFile } from "../../../shared/download-file";
import { fieldValue } from "../../../shared/form-result";
import { localStore } from "../../../shared/storage";
import { Button } from "../../../shared/ui/button";
import { Dialog } from "../../../shared/ui/dialog";
import { CheckboxField, SelectField } from "../../../shared/ui/field";
import { Notice } from "../../../shared/ui/notice";
import { exportOrders } from "./api";
import { labelFileNotes } from "./label-file-notes";

/** Column sets by the value of the `columns` parameter. */
export const LABEL_COLUMNS = {
  pirate_ship: "Labels: Pirate Ship",
  ship_station: "Labels: ShipStation",
  canada_post: "Labels: Canada Post",
};
const COLUMNS = { orders: "Orders: status and amounts", ...LABEL_COLUMNS };
/** Stores the column set chosen last in this browser. */
const COLUMNS_KEY = "csvColumns";

interface Props {
  query: URLSearchParams;
  label?: string;
  columns?: Record<string, string>;
}

/** Exports the orders of the query as CSV, not just the current page. */
export function ExportButton({ query, label = "Export CSV", columns = COLUMNS }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Download aria-hidden className="size-5" />
        {label}
      </Button>
      <Dialog title={label} isOpen={isOpen} onClose={() => setOpen(false)}>
        <ExportForm query={query} choices={columns} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

interface FormProps {
  query: URLSearchParams;
  choices: Record<string, string>;
  onClose: () => void;
}

function ExportForm({ query, choices, onClose }: FormProps) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const [notes, setNotes] = useState<string[]>([]);

  async function download(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state === "busy") return;
    const form = new FormData(event.currentTarget);
    const columns = fieldValue(form, "columns");
    localStore.setItem(COLUMNS_KEY, columns);
    setState("busy");
    try {
      const file = await exportOrders(withFormat(query, columns, form.has("bom")));
      downloadFile(file);
      const lines = labelFileNotes(file.headers);
      if (lines.length === 0) return onClose();
      setNotes(lines);
      setState("idle");
    } catch {
      setState("failed");
    }
  }

  return (
    <form className="space-y-4" onSubmit={(event) => void download(event)}>
      <SelectField
        label="Columns"
        required={false}
        name="columns"
        defaultValue={localStore.getItem(COLUMNS_KEY) ?? undefined}
      >
        {Object.entries(choices).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <CheckboxField label="Start with a byte-order mark, for Excel" name="bom" />
      {notes.length > 0 && (
        <Notice kind="info">
          <p>The file was downloaded.</p>
          {notes.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Notice>
      )}
      {state === "failed" && <Notice kind="error">Failed to export orders. Please try again later.</Notice>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{notes.length > 0 ? "Close" : "Cancel"}</Button>
        <Button type="submit" variant="primary" disabled={state === "busy"}>
          {state === "busy" ? "Exporting..." : "Export"}
        </Button>
      </div>
    </form>
  );
}

/** The parameters that differ from the server's defaults. */
function withFormat(query: URLSearchParams, columns: string, hasMark: boolean): URLSearchParams {
  const format = { ...(columns !== "orders" && { columns }), ...(hasMark && { bom: "true" }) };
  return new URLSearchParams([...query, ...Object.entries(format)]);
}

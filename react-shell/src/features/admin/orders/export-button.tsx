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

/** Column sets by the value of the `columns` parameter. */
const COLUMNS = {
  orders: "Orders: status and amounts",
  pirate_ship: "Labels: Pirate Ship",
  ship_station: "Labels: ShipStation",
  canada_post: "Labels: Canada Post",
};
/** Stores the column set chosen last in this browser. */
const COLUMNS_KEY = "csvColumns";

/** Exports the orders of the query as CSV, not just the current page. */
export function ExportButton({ query }: { query: URLSearchParams }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Download aria-hidden className="size-5" />
        Export CSV
      </Button>
      <Dialog title="Export CSV" isOpen={isOpen} onClose={() => setOpen(false)}>
        <ExportForm query={query} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function ExportForm({ query, onClose }: { query: URLSearchParams; onClose: () => void }) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");

  async function download(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state === "busy") return;
    const form = new FormData(event.currentTarget);
    const columns = fieldValue(form, "columns");
    localStore.setItem(COLUMNS_KEY, columns);
    setState("busy");
    try {
      downloadFile(await exportOrders(withFormat(query, columns, form.has("bom"))));
      onClose();
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
        defaultValue={localStore.getItem(COLUMNS_KEY) ?? "orders"}
      >
        {Object.entries(COLUMNS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <CheckboxField label="Start with a byte-order mark, for Excel" name="bom" />
      {state === "failed" && <Notice kind="error">Failed to export orders. Please try again later.</Notice>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
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

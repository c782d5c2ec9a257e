import { FileUp } from "lucide-react";
import { useRef, useState, type FormEvent } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { requireAdmin } from "../../../../shared/auth-guard";
import { useFocusRestore } from "../../../../shared/focus";
import { Button } from "../../../../shared/ui/button";
import { buttonClass } from "../../../../shared/ui/button-class";
import { CheckboxField } from "../../../../shared/ui/field";
import { ShopLink } from "../../../../shared/ui/link";
import { Notice } from "../../../../shared/ui/notice";
import { Page } from "../../../../shared/ui/page";
import { DropZone } from "../../shared/drop-zone";
import { Progress } from "../../shared/progress";
import type { Columns, TrackingImport, TrackingRow } from "./api";
import { ColumnFields } from "./column-fields";
import { ProblemRows, TrackingRows } from "./tracking-rows";
import { shipmentsOf, useTrackingImport, type ImportState } from "./use-tracking-import";
import { adminPaths } from "../../shared/paths";

/** Largest number of orders that the link to the shipped orders names. */
const MAX_LINKED = 200;

export const loader = ({ request }: LoaderFunctionArgs) => {
  requireAdmin(request);
  return null;
};

/** Imports tracking numbers from a carrier's CSV file, and ships their orders. */
export function Component() {
  const { state, error, check, ship, restart } = useTrackingImport();
  // The control with the focus disappears with its step.
  useFocusRestore(state.kind);
  return (
    <Page title="Import Tracking Numbers">
      <div className="space-y-6">
        {(state.kind === "choosing" || state.kind === "checking") && (
          <FileChooser isBusy={state.kind === "checking"} onChosen={(file) => void check(file)} />
        )}
        {error !== undefined && <Notice kind="error">{error}</Notice>}
        {state.kind === "checked" && (
          <CheckedFile
            preview={state.preview}
            onColumns={(columns) => void check(state.file, columns)}
            onShip={(rows, notifies) => void ship(rows, notifies)}
            onCancel={restart}
          />
        )}
        {state.kind === "shipping" && <Progress label="Shipping orders" done={state.done} total={state.total} />}
        {state.kind === "stopped" && <Stopped state={state} />}
        {state.kind === "done" && <Result state={state} onRestart={restart} />}
      </div>
    </Page>
  );
}

function FileChooser({ isBusy, onChosen }: { isBusy: boolean; onChosen: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const choose = ([file]: File[]) => file !== undefined && onChosen(file);
  return (
    <>
      <p className="max-w-2xl">
        Choose the CSV file from your label software. You review the changes before any order is marked as shipped.
      </p>
      <DropZone hint="or drop it here. CSV up to 5 MB and 10,000 rows." onDropped={choose}>
        <Button
          variant="primary"
          disabled={isBusy}
          onClick={() => {
            input.current?.click();
          }}
        >
          <FileUp aria-hidden className="size-5" />
          {isBusy ? "Checking..." : "Choose File"}
        </Button>
      </DropZone>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,text/csv"
        data-testid="tracking-file"
        onChange={({ target }) => {
          choose([...(target.files ?? [])]);
          // The same file can be chosen again.
          target.value = "";
        }}
      />
    </>
  );
}

interface CheckedProps {
  preview: TrackingImport;
  onColumns: (columns: Columns) => void;
  onShip: (rows: TrackingRow[], notifiesCustomers: boolean) => void;
  onCancel: () => void;
}

function CheckedFile({ preview, onColumns, onShip, onCancel }: CheckedProps) {
  const [notifies, setNotifies] = useState(true);
  const shipments = shipmentsOf(preview.rows);
  const orders = `${shipments.length.toLocaleString("en-US")} ${shipments.length === 1 ? "Order" : "Orders"}`;

  function submit(event: FormEvent) {
    event.preventDefault();
    onShip(preview.rows, notifies);
  }

  return (
    <form className="space-y-6" onSubmit={submit}>
      <ColumnFields preview={preview} onChange={onColumns} />
      {preview.rows.length > 0 && <TrackingRows rows={preview.rows} />}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        {shipments.length > 0 && (
          <>
            <CheckboxField
              label="Email the customers"
              checked={notifies}
              onChange={(event) => setNotifies(event.target.checked)}
            />
            <Button type="submit" variant="primary">
              Ship {orders}
            </Button>
          </>
        )}
        <Button onClick={onCancel}>Choose Another File</Button>
      </div>
    </form>
  );
}

function Stopped({ state }: { state: Extract<ImportState, { kind: "stopped" }> }) {
  return (
    <div className="space-y-4">
      <Notice kind="error">
        The import stopped after {state.done.toLocaleString("en-US")} of {state.total.toLocaleString("en-US")} rows.
        Check your connection and continue; no order ships twice.
      </Notice>
      <Button variant="primary" onClick={state.continue}>
        Continue
      </Button>
    </div>
  );
}

function Result({ state, onRestart }: { state: Extract<ImportState, { kind: "done" }>; onRestart: () => void }) {
  const { shipped, problems, changed } = state;
  return (
    <div className="space-y-4">
      <Notice kind="success">
        {shipped.length.toLocaleString("en-US")} {shipped.length === 1 ? "order" : "orders"} shipped.
        {changed > 0 &&
          ` ${changed.toLocaleString("en-US")} changed in the meantime and ${changed === 1 ? "was" : "were"} skipped.`}
      </Notice>
      {problems.length > 0 && <ProblemRows rows={problems} />}
      <div className="flex flex-wrap gap-3">
        <ShopLink to={adminPaths.ordersWith(shippedFilter(shipped))} className={buttonClass("primary")}>
          Show Orders
        </ShopLink>
        <Button onClick={onRestart}>Import Another File</Button>
      </div>
    </div>
  );
}

/** A filter names a limited number of orders. */
function shippedFilter(shipped: number[]): Record<string, string> {
  return shipped.length > 0 && shipped.length <= MAX_LINKED ? { numbers: shipped.join(",") } : { status: "shipped" };
}

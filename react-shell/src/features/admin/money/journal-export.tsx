import { BookOpen } from "lucide-react";
import { useState, type FormEvent } from "react";
import { serverFieldErrors } from "../../../shared/api-client";
import { downloadFile } from "../../../shared/download-file";
import { fieldValue } from "../../../shared/form-result";
import { Button } from "../../../shared/ui/button";
import { Dialog } from "../../../shared/ui/dialog";
import { TextField } from "../../../shared/ui/field";
import { Notice } from "../../../shared/ui/notice";
import type { FieldErrors } from "../../../shared/use-field-errors";
import { exportJournal } from "./api";

/** Downloads the journal of a period, of the last month by default. */
export function JournalExport() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <BookOpen aria-hidden className="size-5" />
        Export Journal
      </Button>
      <Dialog title="Export Journal" isOpen={isOpen} onClose={() => setOpen(false)}>
        <JournalForm onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

interface State {
  isBusy: boolean;
  /** Set after a failure; empty if no field is to blame. */
  errors?: FieldErrors;
}

function JournalForm({ onClose }: { onClose: () => void }) {
  const [{ isBusy, errors }, setState] = useState<State>({ isBusy: false });
  const [[first, last]] = useState(lastMonth);

  async function download(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    const [from, to] = [fieldValue(form, "from"), fieldValue(form, "to")];
    setState({ isBusy: true });
    try {
      downloadFile(await exportJournal(from, to));
      onClose();
    } catch (error) {
      setState({ isBusy: false, errors: serverFieldErrors(error) });
    }
  }

  return (
    <form className="space-y-4" onSubmit={(event) => void download(event)}>
      <p className="text-muted">
        Orders, refunds, disputes, fees, and payouts as double-entry bookkeeping, for hledger and Ledger. Days follow
        the shop’s time zone.
      </p>
      <div className="flex flex-wrap gap-4">
        <TextField
          label="From"
          name="from"
          type="date"
          className="grow"
          defaultValue={first}
          error={errors?.["from"]}
        />
        <TextField label="To" name="to" type="date" className="grow" defaultValue={last} error={errors?.["to"]} />
      </div>
      {errors && Object.keys(errors).length === 0 && (
        <Notice kind="error">Failed to export the journal. Please try again later.</Notice>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? "Exporting..." : "Export"}
        </Button>
      </div>
    </form>
  );
}

/** First and last day of the previous month, as a suggestion. */
function lastMonth(): [string, string] {
  const now = new Date();
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return [isoDay(Date.UTC(year, month - 1, 1)), isoDay(Date.UTC(year, month, 0))];
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

import { useCallback, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { ApiError, serverFieldErrors, serverMessage } from "../../../../shared/api-client";
import { sendInBatches } from "../../shared/batches";
import {
  applyTrackingImport,
  previewTrackingImport,
  type Columns,
  type Shipment,
  type TrackingImport,
  type TrackingResult,
  type TrackingRow,
} from "./api";
import { isProblem } from "./tracking-rows";

/** In bytes. The server has the same limit, but would receive the file up to it first. */
const MAX_FILE = 5 * 1024 * 1024;
const TOO_LARGE = "CSV files are limited to 5 MB. Split this one into smaller files.";
const CHECK_FAILED = "The file couldn’t be checked. Please try again.";

export type ImportState =
  | { kind: "choosing" }
  | { kind: "checking" }
  | { kind: "checked"; file: File; preview: TrackingImport }
  | { kind: "shipping"; done: number; total: number }
  /** After a failed batch; `done` counts the shipments before it. */
  | { kind: "stopped"; done: number; total: number; continue: () => void }
  | FinishedImport;

/** `problems` are the skipped rows, `changed` the number of those that would have been shipped. */
interface FinishedImport {
  kind: "done";
  shipped: number[];
  problems: TrackingRow[];
  changed: number;
}

/** What became of the rows so far. */
interface Progress {
  shipped: number[];
  changed: TrackingRow[];
}

/** An import of tracking numbers: choose a file, check it, ship. */
export function useTrackingImport() {
  const { remembered, remember } = useRememberedImport();
  const [state, setState] = useState<ImportState>(remembered ?? { kind: "choosing" });
  const [error, setError] = useState<string>();
  useLeaveWarning(state.kind === "shipping");
  // An effect, because the page may have been left before the last batch.
  useEffect(() => {
    if (state.kind === "done") remember(state);
  }, [state, remember]);

  async function check(file: File, columns: Columns = {}) {
    setError(undefined);
    if (file.size > MAX_FILE) return setError(TOO_LARGE);
    const before = state;
    setState(before.kind === "checked" ? before : { kind: "checking" });
    try {
      setState({ kind: "checked", file, preview: await previewTrackingImport(file, columns) });
    } catch (failure) {
      setError(checkError(failure));
      setState(before);
    }
  }

  async function ship(rows: TrackingRow[], notifiesCustomers: boolean, progress = newProgress(), from = 0) {
    const shipments = shipmentsOf(rows);
    const total = shipments.length;
    const show = (done: number) => setState({ kind: "shipping", done, total });
    let done = from;
    show(done);
    async function send(batch: Shipment[]) {
      const { results } = await applyTrackingImport({ shipments: batch, notify_customer: notifiesCustomers });
      progress.shipped.push(...results.filter(isShipped).map(({ order_number }) => order_number));
      progress.changed.push(
        ...results.filter((result) => !isShipped(result)).flatMap((result) => withResult(rows, result)),
      );
    }
    try {
      await sendInBatches(shipments.slice(from), send, (sent) => {
        done = from + sent;
        show(done);
      });
      const { shipped, changed } = progress;
      setState({
        kind: "done",
        shipped,
        problems: [...changed, ...rows.filter(isProblem)],
        changed: total - shipped.length,
      });
    } catch {
      const resume = () => void ship(rows, notifiesCustomers, progress, done);
      setState({ kind: "stopped", done, total, continue: resume });
    }
  }

  function restart() {
    setError(undefined);
    setState({ kind: "choosing" });
    remember(undefined);
  }

  return { state, error, check, ship, restart };
}

/** Includes orders shipped by an earlier batch whose response was lost. */
function isShipped({ verdict }: TrackingResult): boolean {
  return verdict === "ship" || verdict === "already_shipped";
}

/** The row of a shipment, with what became of it instead. */
function withResult(rows: TrackingRow[], { order_number, verdict, message }: TrackingResult): TrackingRow[] {
  const row = rows.find((candidate) => candidate.verdict === "ship" && candidate.order_number === order_number);
  return row === undefined ? [] : [{ ...row, verdict, message }];
}

const newProgress = (): Progress => ({ shipped: [], changed: [] });

function checkError(failure: unknown): string {
  if (failure instanceof ApiError && failure.status === 413) return TOO_LARGE;
  return Object.values(serverFieldErrors(failure)).at(0) ?? serverMessage(failure, CHECK_FAILED);
}

/** The shipments that an import would make. */
export function shipmentsOf(rows: TrackingRow[]): Shipment[] {
  return rows.flatMap(({ verdict, order_number, tracking_number }) =>
    verdict === "ship" && order_number !== undefined ? [{ order_number, tracking_number }] : [],
  );
}

/** Keeps a finished import in the page's history entry: Back from the orders returns to its problems. */
function useRememberedImport() {
  const navigate = useNavigate();
  const { state }: { state: unknown } = useLocation();
  const remembered = isFinished(state) ? state : undefined;
  const remember = useCallback(
    (finished: FinishedImport | undefined) => {
      if (finished !== remembered) void navigate(".", { replace: true, state: finished, preventScrollReset: true });
    },
    [navigate, remembered],
  );
  return { remembered, remember };
}

function isFinished(state: unknown): state is FinishedImport {
  return typeof state === "object" && state !== null && "kind" in state && state.kind === "done";
}

/** Asks before the tab is closed: the remaining shipments would not be made. */
function useLeaveWarning(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isActive]);
}

import type { TrackingRow } from "./api";

const HEADER = ["Row", "Order", "Customer", "Tracking Number", "Problem"];

/** The rows with their problems. Starts with a byte-order mark, for Excel. */
export function problemCsv(rows: readonly TrackingRow[]): Blob {
  const records = rows.map(({ row, order, name = "", tracking_number, message }) =>
    [String(row), order, name, tracking_number, message].map(escapeFormula),
  );
  const lines = [HEADER, ...records].map((record) => `${record.map(quote).join(",")}\r\n`);
  return new Blob(["\u{feff}", ...lines], { type: "text/csv" });
}

/** Text that a spreadsheet would run gets a leading apostrophe, as in the server's files. */
const escapeFormula = (text: string) => (/^[\s"]*[=+\-@＝＋－＠]/u.test(text) ? `'${text}` : text);

const quote = (text: string) => (/[",;\t\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

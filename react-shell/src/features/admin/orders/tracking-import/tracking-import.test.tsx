import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { offline, openShop, signIn, type MockResponses } from "../../../../test-shop";
import type { TrackingRow } from "./api";

const IMPORT = "POST /api/admin/tracking-import";

const row = (number: number, verdict: TrackingRow["verdict"], message: string): TrackingRow => ({
  row: number,
  order: String(999 + number),
  order_number: 999 + number,
  name: "Ada Lovelace",
  tracking_number: `T${number}`,
  verdict,
  message,
});
const SHIP = row(2, "ship", "Will be shipped.");
const DONE = row(3, "already_shipped", "Already shipped with this number.");
const UNKNOWN = row(4, "unknown_order", "There is no order with this number.");
const CHECKED = {
  columns: ["Order ID", "Tracking Number"],
  order_column: 1,
  tracking_column: 2,
  rows: [SHIP, DONE, UNKNOWN],
};

/** Responses of the dry run, one after the other. */
let previews: { status: number; body: object }[];
let uploads: string[];

class MockUpload extends EventTarget {
  readonly upload = new EventTarget();
  status = 0;
  responseText = "";
  #path = "";

  open(_method: string, path: string) {
    this.#path = path;
  }

  setRequestHeader() {}

  send() {
    uploads.push(this.#path);
    const { status, body } = previews.shift() ?? { status: 200, body: CHECKED };
    queueMicrotask(() => {
      this.status = status;
      this.responseText = JSON.stringify(body);
      this.dispatchEvent(new Event("load"));
    });
  }
}

beforeEach(() => {
  signIn("admin@nudgelight.example", ["Admin"]);
  previews = [];
  uploads = [];
  vi.stubGlobal("XMLHttpRequest", MockUpload);
});

const FILE = new File(["Order ID,Tracking Number\n"], "labels.csv", { type: "text/csv" });

async function chooses(file: File, responses: MockResponses = {}) {
  const page = openShop("/admin/tracking-import", responses);
  await screen.findByRole("heading", { name: "Import Tracking Numbers" });
  await page.user.upload(screen.getByTestId("tracking-file"), file);
  return page;
}

/** Without the byte-order mark. */
const textOf = (content: Blob) =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result));
    reader.readAsText(content);
  });

const results = (...numbers: number[]) => ({
  results: numbers.map((number) => ({ order_number: number, verdict: "ship", message: "Will be shipped." })),
});

describe("an import of tracking numbers", () => {
  test("shows each row's verdict, problems first, and ships nothing before it is told to", async () => {
    const page = await chooses(FILE);
    const table = await screen.findByRole("table", { name: "Rows of the file, problems first" });
    const rows = within(table).getAllByRole("row").slice(1);
    expect(rows.map((line) => line.textContent)).toEqual([
      "41003Ada LovelaceT4There is no order with this number.",
      "21001Ada LovelaceT2Will be shipped.",
      "31002Ada LovelaceT3Already shipped with this number.",
    ]);
    expect(screen.getByText("1 will be shipped, 1 skipped, 1 already shipped or repeated.")).toBeTruthy();
    expect(page.sent(IMPORT)).toHaveLength(0);
  });

  test("ships its orders, with or without emails, and leads to them", async () => {
    const page = await chooses(FILE, { [IMPORT]: results(1001) });
    await page.user.click(await screen.findByLabelText("Email the customers"));
    await page.user.click(screen.getByRole("button", { name: "Ship 1 Order" }));
    expect(await screen.findByText("1 order shipped.")).toBeTruthy();
    const shipments = [{ order_number: 1001, tracking_number: "T2" }];
    expect(page.sent(IMPORT).map(({ body }) => body)).toEqual([{ shipments, notify_customer: false }]);
    expect(screen.getByRole("link", { name: "Show Orders" }).getAttribute("href")).toBe("/admin/orders?numbers=1001");
    await waitFor(() => expect(document.activeElement?.tagName).toBe("H1"));
  });

  test("sends batches of a hundred, and goes on after a failure where it stopped", async () => {
    const rows = Array.from({ length: 150 }, (_, index) => row(index + 2, "ship", "Will be shipped."));
    previews = [{ status: 200, body: { ...CHECKED, rows } }];
    let requests = 0;
    const answer = () => (++requests === 2 ? offline() : Response.json(results(1001)));
    const page = await chooses(FILE, { [IMPORT]: answer });
    await page.user.click(await screen.findByRole("button", { name: "Ship 150 Orders" }));
    expect((await screen.findByRole("alert")).textContent).toMatch(/stopped after 100 of 150 rows/);
    await page.user.click(screen.getByRole("button", { name: "Continue" }));
    await screen.findByText(/2 orders shipped. 148 changed in the meantime/);
    const sizes = page.sent(IMPORT).map(({ body }) => (body as { shipments: unknown[] }).shipments.length);
    expect(sizes).toEqual([100, 50, 50]);
  });

  test("shows the problems after shipping, too, and saves them as CSV", async () => {
    const saved = vi.fn<(content: Blob) => string>(() => "blob:1");
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: saved, revokeObjectURL: () => undefined }));
    const rows = [SHIP, row(3, "ship", "Will be shipped."), { ...UNKNOWN, name: undefined, order: '=1+1, "x"' }, DONE];
    previews = [{ status: 200, body: { ...CHECKED, rows } }];
    const left = { order_number: 1002, verdict: "refunded", message: "The order has been refunded." };
    const page = await chooses(FILE, { [IMPORT]: { results: [...results(1001).results, left] } });
    await page.user.click(await screen.findByRole("button", { name: "Ship 2 Orders" }));
    const table = await screen.findByRole("table", { name: "Skipped rows" });
    const lines = within(table).getAllByRole("row").slice(1);
    expect(lines.map((line) => line.textContent)).toEqual([
      "31002Ada LovelaceT3The order has been refunded.",
      '4=1+1, "x"T4There is no order with this number.',
    ]);
    await page.user.click(screen.getByRole("button", { name: "Download as CSV" }));
    expect(await textOf(saved.mock.calls[0]?.[0] ?? new Blob())).toBe(
      "Row,Order,Customer,Tracking Number,Problem\r\n" +
        "3,1002,Ada Lovelace,T3,The order has been refunded.\r\n" +
        '4,"\'=1+1, ""x""",,T4,There is no order with this number.\r\n',
    );
  });

  test("keeps the problems for Back from the orders, until the next file is chosen", async () => {
    const page = await chooses(FILE, { [IMPORT]: results(1001) });
    await page.user.click(await screen.findByRole("button", { name: "Ship 1 Order" }));
    await page.user.click(await screen.findByRole("link", { name: "Show Orders" }));
    // The page of the orders has replaced this one.
    await screen.findByRole("heading", { name: "Orders" });
    await page.router.navigate(-1);
    const table = await screen.findByRole("table", { name: "Skipped rows" });
    expect(table.textContent).toContain(UNKNOWN.message);
    expect(screen.getByText("1 order shipped.")).toBeTruthy();
    await page.user.click(screen.getByRole("button", { name: "Import Another File" }));
    expect(await screen.findByRole("button", { name: "Choose File" })).toBeTruthy();
    expect(page.router.state.location.state).toBeNull();
  });

  test("asks for the columns that it does not recognize", async () => {
    previews = [{ status: 200, body: { columns: ["Kunde", "Sendung"], rows: [] } }];
    const page = await chooses(FILE);
    await page.user.selectOptions(await screen.findByLabelText("Order number column"), "Kunde");
    await waitFor(() => expect(uploads.at(-1)).toBe("/api/admin/tracking-import/preview?order_column=1"));
    expect(await screen.findByRole("button", { name: "Ship 1 Order" })).toBeTruthy();
  });

  test("says why a file cannot be used, and takes the next one", async () => {
    const fields = { file: "The quotes that start in row 2 are never closed." };
    previews = [{ status: 400, body: { error: "Invalid.", code: "InvalidRequest", fields } }];
    const page = await chooses(FILE);
    expect((await screen.findByRole("alert")).textContent).toBe(fields.file);
    await page.user.upload(screen.getByTestId("tracking-file"), FILE);
    expect(await screen.findByRole("button", { name: "Ship 1 Order" })).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("does not send a file that is too large", async () => {
    const large = new File([new Uint8Array(5 * 1024 * 1024 + 1)], "labels.csv", { type: "text/csv" });
    await chooses(large);
    expect((await screen.findByRole("alert")).textContent).toMatch(/^CSV files are limited to 5 MB/);
    expect(uploads).toEqual([]);
  });
});

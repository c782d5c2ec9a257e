import { Printer } from "lucide-react";
import { useEffect, useRef, useState, type RefObject } from "react";
import {
  useLoaderData,
  useRouteError,
  useSearchParams,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "react-router";
import { requireAdmin } from "../../../shared/auth-guard";
import { serverFieldErrors } from "../../../shared/api-client";
import { Button } from "../../../shared/ui/button";
import { buttonClass } from "../../../shared/ui/button-class";
import { EmptyState } from "../../../shared/ui/empty-state";
import { SelectField } from "../../../shared/ui/field";
import { ShopLink } from "../../../shared/ui/link";
import { Page } from "../../../shared/ui/page";
import { RouteError } from "../../../shared/ui/route-error";
import { getPackingSlips } from "./api";
import { filterOf } from "./order-filter";
import "./packing-slips.css";
import { queryOfNumbers } from "./order-selection";
import { PAPER_SIZES, paperSize, savePaperSize, type PaperSize } from "./paper-size";
import { SlipActions } from "./slip-actions";
import { adminPaths } from "../shared/paths";

/** The printed parts of the document, by their `data-parts`. */
const PARTS = { all: "Pick list and packing slips", slips: "Packing slips", "pick-list": "Pick list" };

/** The document as HTML. The server renders it and escapes its texts. */
export async function loader({ request }: LoaderFunctionArgs): Promise<string> {
  requireAdmin(request);
  return getPackingSlips(filterOf(new URL(request.url).searchParams));
}

/** The document stays as it was printed when a change of its orders reloads the page’s data. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.href !== nextUrl.href;
}

export function Component() {
  const html = useLoaderData<string>();
  const [params] = useSearchParams();
  const numbers = printedOrders(html);
  const [paper, setPaper] = useState(paperSize);
  const [parts, setParts] = useState("all");
  const sheets = useRef<HTMLDivElement>(null);
  usePageRule(PAPER_SIZES[paper].page);

  function choosePaper(size: PaperSize) {
    savePaperSize(size);
    setPaper(size);
  }

  return (
    <>
      <div className="no-print">
        <Page title="Packing Slips">
          <div className="mb-6 flex flex-wrap items-end gap-4">
            <SelectField
              label="Print"
              required={false}
              value={parts}
              onChange={(event) => setParts(event.target.value)}
            >
              {Object.entries(PARTS).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </SelectField>
            <SelectField
              label="Paper size"
              required={false}
              value={paper}
              onChange={(event) => choosePaper(event.target.value as PaperSize)}
            >
              {Object.entries(PAPER_SIZES).map(([size, { label }]) => (
                <option key={size} value={size}>
                  {label}
                </option>
              ))}
            </SelectField>
            <Button variant="primary" onClick={() => void print(sheets)}>
              <Printer aria-hidden className="size-5" />
              Print
            </Button>
          </div>
          {numbers.length > 0 && <SlipActions query={queryOfNumbers(numbers, params)} />}
        </Page>
      </div>
      <div
        ref={sheets}
        className="paper"
        data-paper={paper}
        data-parts={parts}
        // oxlint-disable-next-line react/no-danger -- rendered by the shop's own server
        dangerouslySetInnerHTML={{ __html: html }}
      />
    </>
  );
}

/** The numbers of the orders in the document: further orders may match its filter by now. */
function printedOrders(html: string): number[] {
  return [...html.matchAll(/ data-order="(\d+)"/g)].map(([, number]) => Number(number));
}

/** Sets the paper size while the page is shown: a rule for `@page` applies to the whole document. */
function usePageRule(rule: string): void {
  useEffect(() => {
    const style = document.createElement("style");
    style.textContent = rule;
    document.head.append(style);
    return () => style.remove();
  }, [rule]);
}

/** Prints once all pictures are loaded: the browser does not wait for them. A picture that fails is left out. */
async function print(sheets: RefObject<HTMLDivElement | null>): Promise<void> {
  const pictures = [...(sheets.current?.querySelectorAll("img") ?? [])];
  await Promise.allSettled(pictures.map((picture) => picture.decode()));
  window.print();
}

export function ErrorBoundary() {
  const tooMany = serverFieldErrors(useRouteError())["numbers"];
  return (
    <Page title="Packing Slips">
      {tooMany === undefined ? (
        <RouteError message="Couldn’t load packing slips. Please try again later." />
      ) : (
        <EmptyState
          title={
            <p role="alert" className="text-xl font-semibold">
              {tooMany}
            </p>
          }
          action={
            <ShopLink to={adminPaths.orders} className={buttonClass("primary")}>
              All orders
            </ShopLink>
          }
        />
      )}
    </Page>
  );
}

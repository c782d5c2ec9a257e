import type { ReactNode, Ref } from "react";

/** A column: its heading and the cell of each row. */
export interface Column<Row> {
  title: string;
  /** Replaces the title in the heading, as a link that sorts the table. */
  heading?: ReactNode;
  /** The order of the rows by this column. */
  sort?: "ascending" | "descending" | undefined;
  /** "sr-only" hides the heading visually. */
  titleClassName?: string;
  /** Classes of the heading and its cells: alignment and breakpoints. */
  className?: string;
  cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  caption: string;
  /** The first column is the row header. */
  columns: Column<Row>[];
  rows: Row[];
  rowClassName?: string;
  bodyRef?: Ref<HTMLTableSectionElement>;
  /** "compact" rows are as high as their controls, 44 pixels at most. */
  density?: "normal" | "compact";
}

export const TABLE = "w-full border-separate border-spacing-0 rounded-card border border-line bg-card text-left";
const COMPACT_CELL = "border-t border-line px-2 align-middle sm:px-4";
export const CELL = `${COMPACT_CELL} py-3`;

export function Table<Row extends { id: string }>({
  caption,
  columns,
  rows,
  rowClassName,
  bodyRef,
  density,
}: Props<Row>) {
  const cellClass = density === "compact" ? `${COMPACT_CELL} h-11` : CELL;
  return (
    <table className={TABLE}>
      <caption className="sr-only">{caption}</caption>
      <thead className="text-sm text-muted">
        <tr>
          {columns.map(({ title, heading, sort, titleClassName, className = "" }) => (
            <th key={title} scope="col" aria-sort={sort} className={`px-2 py-3 font-medium sm:px-4 ${className}`}>
              <span className={titleClassName}>{heading ?? title}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={bodyRef}>
        {rows.map((row) => (
          <tr key={row.id} className={rowClassName}>
            {columns.map(({ title, className = "", cell }, index) =>
              index === 0 ? (
                <th key={title} scope="row" className={`${cellClass} font-medium ${className}`}>
                  {cell(row)}
                </th>
              ) : (
                <td key={title} className={`${cellClass} ${className}`}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import { Card } from "./page";
import { CELL, TABLE } from "./table";

/** Placeholder of a line of text. */
export function SkeletonLine({ className = "w-24" }: { className?: string }) {
  return (
    <span aria-hidden className={`inline-block max-w-full animate-pulse rounded bg-line text-transparent ${className}`}>
      …
    </span>
  );
}

/** Placeholder of a card, whose classes set its height. */
export function CardSkeleton({ className }: { className: string }) {
  return (
    <Card className={`overflow-hidden ${className}`}>
      <div aria-hidden className="flex flex-col items-start gap-4">
        <SkeletonLine className="w-48" />
        <SkeletonLine className="w-full" />
        <SkeletonLine className="w-2/3" />
      </div>
    </Card>
  );
}

/** Placeholder of a table, with the height of the loaded table. */
export function TableSkeleton({ rows, columns, lines }: { rows: number; columns: number; lines: 1 | 2 }) {
  return (
    <div role="status">
      <span className="sr-only">Loading…</span>
      <table aria-hidden className={`${TABLE} table-fixed`}>
        <tbody>
          {Array.from({ length: rows + 1 }, (_, row) => (
            <tr key={row}>
              {Array.from({ length: columns }, (_cell, column) => (
                <td key={column} className={row === 0 ? "px-2 py-3 text-sm sm:px-4" : CELL}>
                  <SkeletonLine className={column === 0 ? "w-14" : "w-28"} />
                  {lines === 2 && row > 0 && column === 1 && <SkeletonLine className="block w-40 text-sm" />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

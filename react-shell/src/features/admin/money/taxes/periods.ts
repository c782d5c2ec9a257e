/** Months of a tax report, like `2026-12`, both inclusive. */
export interface Period {
  from: string;
  to: string;
}

/** The month before this one. */
export function lastMonth(thisMonth: string): Period {
  const month = monthText(indexOf(thisMonth) - 1);
  return { from: month, to: month };
}

/** The calendar quarter before this one. */
export function lastQuarter(thisMonth: string): Period {
  const start = Math.floor(indexOf(thisMonth) / 3) * 3 - 3;
  return { from: monthText(start), to: monthText(start + 2) };
}

/** Months since January of year 0. */
function indexOf(month: string): number {
  const [year, number] = month.split("-").map(Number);
  return (year ?? 0) * 12 + (number ?? 1) - 1;
}

function monthText(index: number): string {
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
}

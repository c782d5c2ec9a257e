/** Headers with the numbers of orders that a file for label software leaves out, and the reasons. */
const LEFT_OUT = { "X-Left-Out-Refunded": "all items refunded", "X-Left-Out-On-Hold": "on hold" };
const ALREADY_SHIPPED = "X-Already-Shipped";

/** Notes on a file for label software: the orders that it leaves out, and those in it that may be there by mistake. */
export function labelFileNotes(headers: Headers): string[] {
  const count = (header: string) => Number(headers.get(header) ?? 0);
  const notes = Object.entries(LEFT_OUT).flatMap(([header, reason]) =>
    count(header) > 0 ? [`${orders(count(header))} left out: ${reason}`] : [],
  );
  const shipped = count(ALREADY_SHIPPED);
  if (shipped > 0) notes.push(`${orders(shipped)} in the file ${shipped === 1 ? "has" : "have"} already shipped`);
  return notes;
}

/** `1 order` or `1,234 orders`. */
function orders(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "order" : "orders"}`;
}

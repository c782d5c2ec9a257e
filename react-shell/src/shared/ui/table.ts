export const TABLE = "w-full border-separate border-spacing-0 rounded-card border border-line bg-card text-left";
export const HEAD = "text-sm text-muted [&_th]:px-2 [&_th]:py-3 [&_th]:font-medium sm:[&_th]:px-4";
export const CELL = "border-t border-line px-2 py-3 align-middle sm:px-4";

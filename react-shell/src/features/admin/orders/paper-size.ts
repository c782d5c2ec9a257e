import { localStore } from "../../../shared/storage";

const KEY = "paperSize";

/** Paper sizes by their `data-paper`, each with the rule that the printer gets. */
export const PAPER_SIZES = {
  letter: { label: "Letter", page: "@page { size: letter; margin: 0.5in; }" },
  a4: { label: "A4", page: "@page { size: A4; margin: 12mm; }" },
  "4x6": { label: "4 × 6 in", page: "@page { size: 4in 6in; margin: 0.2in; }" },
};

export type PaperSize = keyof typeof PAPER_SIZES;

/** The paper size chosen last in this browser. */
export function paperSize(): PaperSize {
  const stored = localStore.getItem(KEY) ?? "";
  return stored in PAPER_SIZES ? (stored as PaperSize) : "letter";
}

export function savePaperSize(size: PaperSize): void {
  localStore.setItem(KEY, size);
}

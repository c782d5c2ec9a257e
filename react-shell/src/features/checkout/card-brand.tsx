import { CreditCard } from "lucide-react";

interface Brand {
  name: string;
  /** Word mark on the icon. Mastercard has two circles instead. */
  mark?: string;
  /** Ranges of first digits of the card number, inclusive. */
  ranges: readonly (readonly [first: string, last: string])[];
  cvcLength: 3 | 4;
}

const BRANDS: readonly Brand[] = [
  { name: "Visa", mark: "VISA", ranges: [["4", "4"]], cvcLength: 3 },
  {
    name: "Mastercard",
    ranges: [
      ["51", "55"],
      ["2221", "2720"],
    ],
    cvcLength: 3,
  },
  {
    name: "American Express",
    mark: "AMEX",
    ranges: [
      ["34", "34"],
      ["37", "37"],
    ],
    cvcLength: 4,
  },
  {
    name: "Discover",
    mark: "DISC",
    ranges: [
      ["6011", "6011"],
      ["644", "649"],
      ["65", "65"],
    ],
    cvcLength: 3,
  },
  {
    name: "Diners Club",
    mark: "DC",
    ranges: [
      ["300", "305"],
      ["36", "36"],
      ["38", "39"],
    ],
    cvcLength: 3,
  },
  { name: "JCB", mark: "JCB", ranges: [["3528", "3589"]], cvcLength: 3 },
  { name: "UnionPay", mark: "UP", ranges: [["62", "62"]], cvcLength: 3 },
];

/** The brand of a card number, as soon as its first digits decide it. */
export function cardBrand(number: string): Brand | undefined {
  return BRANDS.find(({ ranges }) =>
    ranges.some(([first, last]) => {
      const start = number.slice(0, first.length);
      return start.length === first.length && first <= start && start <= last;
    }),
  );
}

/** The brand's icon, or a card while the brand is unknown. */
export function CardBrandIcon({ number }: { number: string }) {
  const brand = cardBrand(number);
  if (!brand) return <CreditCard aria-hidden className="h-6 w-9 text-muted" />;
  return (
    <svg role="img" aria-label={brand.name} viewBox="0 0 36 24" className="h-6 w-9">
      <rect x="0.5" y="0.5" width="35" height="23" rx="4" className="fill-paper stroke-edge" />
      {brand.mark === undefined ? (
        <>
          <circle cx="14" cy="12" r="6.5" fill="#d9222a" />
          <circle cx="22" cy="12" r="6.5" fill="#ee9f2d" fillOpacity="0.85" />
        </>
      ) : (
        <text x="18" y="15.5" textAnchor="middle" fontSize="9.5" fontWeight="700" className="fill-ink">
          {brand.mark}
        </text>
      )}
    </svg>
  );
}

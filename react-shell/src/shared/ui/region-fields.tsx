import { useEffect, useRef, useState } from "react";
import type { TypedAddress } from "../address-form";
import { regionOfPostalCode, states, type Country } from "../rules";
import type { FieldErrors } from "../use-field-errors";
import { SelectField, TextField } from "./field";

interface Props {
  country: Country;
  typed: TypedAddress;
  errors: FieldErrors;
  /** Autofill section of the browser. */
  purpose: "shipping" | "billing";
}

interface Region {
  code: string;
  name: string;
}

/** The region of the postal code: filled in, or in contradiction to the selected one. */
type Finding = { kind: "filled"; region: Region } | { kind: "conflict"; region: Region; postalCode: string };

/** Labels of an address, by country. */
const LABELS = {
  US: { state: "State", code: "ZIP Code", codeShort: "ZIP", codeInputMode: "numeric" },
  CA: {
    state: "Province",
    code: "Postal Code",
    codeShort: "Postal code",
    codeInputMode: "text",
  },
} as const;

/**
 * ZIP or postal code, and state or province. A complete postal code fills in an empty state; it never overwrites a
 * selected one, but asks.
 */
export function RegionFields({ country, typed, errors, purpose }: Props) {
  const fields = useRef<HTMLDivElement>(null);
  const [finding, setFinding] = useState<Finding>();
  const labels = LABELS[country];

  function check() {
    const { state, postalCode } = controls(fields.current);
    const region = findRegion(country, postalCode?.value ?? "");
    if (!state || !postalCode || !region || region.code === state.value) {
      setFinding((shown) => (shown?.kind === "filled" && shown.region.code === state?.value ? shown : undefined));
    } else if (state.value === "") {
      setFinding({ kind: "filled", region });
      select(state, region);
    } else setFinding({ kind: "conflict", region, postalCode: postalCode.value.trim().toUpperCase() });
  }

  // Changing the country replaces the list of states, and a postal code typed before may belong to it.
  useEffect(check, [country]);

  /** Selects the suggested region and focuses its field, because the pressed button disappears. */
  function accept(region: Region) {
    const { state } = controls(fields.current);
    if (!state) return;
    setFinding(undefined);
    select(state, region);
    state.focus();
  }

  return (
    <div ref={fields} className="contents" onChange={check}>
      <TextField
        label={labels.code}
        name="address.postal_code"
        autoComplete={`${purpose} postal-code`}
        inputMode={labels.codeInputMode}
        defaultValue={typed["address.postal_code"]}
        error={errors["address.postal_code"]}
      />
      <SelectField
        key={country}
        label={labels.state}
        name="address.state"
        autoComplete={`${purpose} address-level1`}
        defaultValue={typed["address.state"] ?? ""}
        error={errors["address.state"]}
      >
        <option value="">Choose…</option>
        {states(country).map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <RegionNote finding={finding} labels={labels} onAccept={accept} />
    </div>
  );
}

interface NoteProps {
  finding: Finding | undefined;
  labels: (typeof LABELS)[Country];
  onAccept: (region: Region) => void;
}

/** The question about a contradiction. Its live region exists before its text, so that screen readers announce both. */
function RegionNote({ finding, labels, onAccept }: NoteProps) {
  const isConflict = finding?.kind === "conflict";
  return (
    <div className={isConflict ? "flex flex-wrap items-center gap-x-3 sm:col-span-2" : "sr-only"}>
      <p aria-live="polite">
        {finding?.kind === "filled" && `${labels.state} filled in from the ${labels.code}: ${finding.region.name}.`}
        {isConflict &&
          `${labels.codeShort} ${finding.postalCode} is ${place(finding.region)}. Use ${finding.region.name}?`}
      </p>
      {isConflict && (
        <button type="button" onClick={() => onAccept(finding.region)} className="text-link min-h-11">
          Use {finding.region.name}
        </button>
      )}
    </div>
  );
}

const WITH_ARTICLE = new Set(["DC", "MP", "VI"]);
const MILITARY = new Set(["AA", "AE", "AP"]);

/** `in California`, `in the District of Columbia`, `for Armed Forces Europe` */
function place({ code, name }: Region): string {
  if (MILITARY.has(code)) return `for ${name}`;
  return WITH_ARTICLE.has(code) ? `in the ${name}` : `in ${name}`;
}

function findRegion(country: Country, postalCode: string): Region | undefined {
  const found = regionOfPostalCode(country, postalCode);
  return states(country).find(({ code }) => code === found);
}

function controls(fields: HTMLElement | null) {
  return {
    state: fields?.querySelector<HTMLSelectElement>('[name="address.state"]'),
    postalCode: fields?.querySelector<HTMLInputElement>('[name="address.postal_code"]'),
  };
}

/** Selects a region as a user would: the form's `onChange` validates and saves it. */
function select(state: HTMLSelectElement, { code }: Region): void {
  state.value = code;
  state.dispatchEvent(new Event("change", { bubbles: true }));
}

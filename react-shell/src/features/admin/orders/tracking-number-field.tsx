import { useState } from "react";
import { trackingLink } from "../../../shared/rules";
import { CheckboxField, TextField } from "../../../shared/ui/field";

interface Props {
  defaultValue: string;
  error: string | undefined;
  /** Whether the server doubts the number that was sent. */
  isDoubted: boolean;
}

/** The tracking number of an order. If the server doubts it, the administrator can save it anyway. */
export function TrackingNumberField({ defaultValue, error, isDoubted }: Props) {
  const [number, setNumber] = useState(defaultValue);
  return (
    <div>
      <TextField
        label="Tracking Number"
        isOptional
        name="tracking_number"
        autoComplete="off"
        value={number}
        onChange={(event) => setNumber(event.target.value)}
        error={error}
        hint={<span role="status">{carrierHint(number)}</span>}
      />
      {isDoubted && <CheckboxField label="Use this tracking number anyway" name="accept_tracking_number" />}
    </div>
  );
}

function carrierHint(number: string): string {
  if (number.trim() === "") return "The carrier is detected from the number.";
  const link = trackingLink(number);
  return link ? `Carrier: ${link.carrier}` : "Unknown carrier: the customer gets the number without a link.";
}

interface Props {
  /** The activity, such as "Shipping orders". */
  label: string;
  done: number;
  total: number;
}

/** Progress of a change of many orders. */
export function Progress({ label, done, total }: Props) {
  return (
    <div className="space-y-2">
      <p role="status" className="tabular-nums">
        {label}: {done.toLocaleString("en-US")} of {total.toLocaleString("en-US")}
      </p>
      <progress aria-label={label} className="w-full" value={done} max={total} />
    </div>
  );
}

interface Props {
  label: string;
  /** The button stays focusable, so that the focus is not lost at the limit. */
  isAtLimit: boolean;
  onClick: () => void;
  children: string;
}

/** One of the two buttons beside a quantity. */
export function StepButton({ label, isAtLimit, onClick, children }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={isAtLimit}
      className="quantity-step aria-disabled:opacity-40"
      onClick={onClick}
    >
      {children}
    </button>
  );
}

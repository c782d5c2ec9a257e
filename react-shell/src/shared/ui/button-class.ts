export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";

const SHAPE =
  "inline-flex min-h-11 items-center justify-center gap-2 rounded-field border px-4 py-2 font-semibold no-underline " +
  "transition-colors aria-disabled:cursor-not-allowed aria-disabled:opacity-60";

const VARIANTS: Record<ButtonVariant, string> = {
  primary: "border-transparent bg-glow text-on-glow hover:bg-glow/85",
  secondary: "border-edge bg-card text-ink hover:bg-line/50",
  ghost: "border-transparent text-ink hover:bg-line/60",
  danger: "border-bad text-bad hover:bg-bad/10",
};

/** CSS classes of a button variant, for buttons and links. */
export function buttonClass(variant: ButtonVariant): string {
  return `${SHAPE} ${VARIANTS[variant]}`;
}

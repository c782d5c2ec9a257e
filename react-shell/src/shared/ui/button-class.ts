export type ButtonLook = "primary" | "secondary" | "quiet" | "danger";

const SHAPE =
  "inline-flex min-h-11 items-center justify-center gap-2 rounded-field border px-4 py-2 font-semibold no-underline " +
  "transition-colors disabled:cursor-not-allowed disabled:opacity-60";

const LOOKS: Record<ButtonLook, string> = {
  primary: "border-transparent bg-glow text-on-glow hover:bg-glow/85",
  secondary: "border-edge bg-card text-ink hover:bg-line/50",
  quiet: "border-transparent text-ink hover:bg-line/60",
  danger: "border-bad text-bad hover:bg-bad/10",
};

/** The look of a button, for buttons and for links that look like one. */
export function buttonClass(look: ButtonLook): string {
  return `${SHAPE} ${LOOKS[look]}`;
}

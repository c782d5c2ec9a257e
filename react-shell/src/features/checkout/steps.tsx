import { useEffect, useRef, type ReactNode } from "react";

const OPEN_STEP = "open-step";

/** Checkout layout: steps on the left, the summary on the right. On small screens the summary comes first. */
export function Steps({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1fr_24rem]">
      <div className="order-2 space-y-4 lg:order-1">{children}</div>
      <div className="order-1 lg:sticky lg:top-6 lg:order-2">{summary}</div>
    </div>
  );
}

/** The heading of the open step. It takes the focus after a step change. */
export function StepHeading({ children }: { children: ReactNode }) {
  return (
    <h2 id={OPEN_STEP} tabIndex={-1} className="mb-4 text-xl">
      {children}
    </h2>
  );
}

/** Moves the focus to the step's heading when `step` changes, because the page stays the same. */
export function useStepFocus(step: string): void {
  const previous = useRef(step);
  useEffect(() => {
    if (previous.current === step) return;
    previous.current = step;
    document.getElementById(OPEN_STEP)?.focus();
  }, [step]);
}

/** A step that is not open: completed, with an edit link, or still to come. */
export function CollapsedStep({ title, children, edit }: { title: string; children?: ReactNode; edit?: ReactNode }) {
  return (
    <section className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-card border border-line px-5 py-4 sm:px-6">
      <div className="min-w-0">
        <h2 className="text-lg">{title}</h2>
        {children !== undefined && <p className="text-muted">{children}</p>}
      </div>
      {edit}
    </section>
  );
}

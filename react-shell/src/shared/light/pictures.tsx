import type { ComponentType, ReactNode } from "react";

export interface PicturedStep {
  icon: ComponentType<{ className?: string; "aria-hidden"?: boolean }>;
  text: ReactNode;
}

/** Numbered steps, each with a picture. */
export function PicturedSteps({ steps }: { steps: [string, PicturedStep][] }) {
  return (
    <ol className="grid gap-3 sm:grid-cols-3">
      {steps.map(([name, { icon: Icon, text }], index) => (
        <li
          key={name}
          className="flex items-center gap-3 rounded-field border border-line p-3 sm:flex-col sm:items-stretch"
        >
          <span className="grid size-16 shrink-0 place-items-center rounded-field bg-line/40 sm:h-20 sm:w-auto">
            <Icon aria-hidden className="size-10 text-glow-ink" />
          </span>
          <span>
            <strong>{index + 1}.</strong> {text}
          </span>
        </li>
      ))}
    </ol>
  );
}

import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

type NoticeKind = "ok" | "info" | "warn" | "bad";

const LOOKS = {
  ok: { icon: CircleCheck, color: "text-ok", edge: "border-ok" },
  info: { icon: Info, color: "text-glow-ink", edge: "border-edge" },
  warn: { icon: TriangleAlert, color: "text-warn", edge: "border-warn" },
  bad: { icon: CircleAlert, color: "text-bad", edge: "border-bad" },
} as const;

/** A sentence the page wants to be heard: what failed interrupts a screen reader, the rest waits its turn. */
export function Notice({ kind, children }: { kind: NoticeKind; children: ReactNode }) {
  const { icon: Icon, color, edge } = LOOKS[kind];
  const role = kind === "bad" || kind === "warn" ? "alert" : "status";
  return (
    <div role={role} className={`flex items-start gap-3 rounded-field border ${edge} bg-card px-4 py-3`}>
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${color}`} />
      <div className="min-w-0 grow">{children}</div>
    </div>
  );
}

// One by one: the shell would contain every icon of the application if one of its modules imported the package's index.
import CircleAlert from "lucide-react/icons/circle-alert";
import CircleCheck from "lucide-react/icons/circle-check";
import Info from "lucide-react/icons/info";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useEffect, useState, type ReactNode } from "react";
import { ANNOUNCEMENT_DELAY_MS } from "../timings";

type NoticeKind = "success" | "info" | "warning" | "error";

const STYLES = {
  success: { icon: CircleCheck, color: "text-ok", edge: "border-ok" },
  info: { icon: Info, color: "text-glow-ink", edge: "border-edge" },
  warning: { icon: TriangleAlert, color: "text-warn", edge: "border-warn" },
  error: { icon: CircleAlert, color: "text-bad", edge: "border-bad" },
} as const;

/**
 * A message. Screen readers announce errors and warnings at once (`alert`), others politely (`status`). They announce
 * only what changes in a live region, so the text becomes visible after the region.
 */
export function Notice({ kind, children }: { kind: NoticeKind; children: ReactNode }) {
  const { icon: Icon, color, edge } = STYLES[kind];
  const role = kind === "error" || kind === "warning" ? "alert" : "status";
  const isVisible = useAnnouncementDelay();
  return (
    <div role={role}>
      <div
        className={`flex items-start gap-3 rounded-field border ${edge} bg-card px-4 py-3 ${isVisible ? "" : "invisible"}`}
      >
        <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${color}`} />
        <div className="min-w-0 grow">{children}</div>
      </div>
    </div>
  );
}

function useAnnouncementDelay(): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ANNOUNCEMENT_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return isOver;
}

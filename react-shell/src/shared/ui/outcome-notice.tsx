import type { Outcome } from "../outcome";
import { Notice } from "./notice";

export function OutcomeNotice({ outcome }: { outcome: Outcome | undefined }) {
  if (outcome === undefined) return null;
  return <Notice kind={outcome.kind === "done" ? "ok" : "bad"}>{outcome.message}</Notice>;
}

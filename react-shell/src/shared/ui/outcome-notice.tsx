import { fieldsOf, type Outcome } from "../outcome";
import { Notice } from "./notice";

/** What a field says already is not said twice. */
export function OutcomeNotice({ outcome }: { outcome: Outcome | undefined }) {
  if (outcome === undefined || Object.values(fieldsOf(outcome) ?? {}).includes(outcome.message)) return null;
  return <Notice kind={outcome.kind === "done" ? "ok" : "bad"}>{outcome.message}</Notice>;
}

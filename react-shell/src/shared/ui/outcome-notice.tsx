import { fieldsOf, type Outcome } from "../outcome";
import { ShopLink, TEXT_LINK } from "./link";
import { Notice } from "./notice";

/** What a field says already is not said twice. */
export function OutcomeNotice({ outcome }: { outcome: Outcome | undefined }) {
  if (outcome === undefined || Object.values(fieldsOf(outcome) ?? {}).includes(outcome.message)) return null;
  if (outcome.kind === "done") return <Notice kind="ok">{outcome.message}</Notice>;
  const { message, wayOn } = outcome;
  return (
    <>
      <Notice kind="bad">{message}</Notice>
      {wayOn && (
        <p>
          <ShopLink to={wayOn.to} className={TEXT_LINK}>
            {wayOn.label}
          </ShopLink>
        </p>
      )}
    </>
  );
}

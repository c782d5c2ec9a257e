import type { Outcome } from "../outcome";
import { ShopLink, TEXT_LINK } from "./link";
import { Notice } from "./notice";

export function OutcomeNotice({ outcome }: { outcome: Outcome | undefined }) {
  if (outcome === undefined) return null;
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

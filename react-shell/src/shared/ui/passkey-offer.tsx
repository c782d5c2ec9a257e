import { useState } from "react";
import { endPasskeyOffer, isPasskeyOfferOver, offersPasskeys } from "../passkey-offer";
import { paths } from "../paths";
import { useRootData } from "../root-data";
import { Button } from "./button";
import { buttonClass } from "./button-class";
import { ShopLink } from "./link";

/** Offers a passkey to a customer who has logged in another way, until one is added or the offer is dismissed. */
export function PasskeyOffer() {
  const isOffered = offersPasskeys(useRootData().config);
  const [isOver, setOver] = useState(isPasskeyOfferOver);
  if (!isOffered || isOver) return null;

  function dismiss() {
    endPasskeyOffer();
    setOver(true);
  }

  return (
    <aside aria-label="Passkeys" className="rounded-card border border-line bg-card p-5 shadow-card sm:p-6">
      <p className="mb-4">Log in faster next time: add a passkey, and use your fingerprint, face, or screen lock.</p>
      <div className="flex flex-wrap gap-2">
        <ShopLink to={paths.profileSettings} className={buttonClass("secondary")}>
          Add a Passkey
        </ShopLink>
        <Button variant="ghost" onClick={dismiss}>
          Not Now
        </Button>
      </div>
    </aside>
  );
}

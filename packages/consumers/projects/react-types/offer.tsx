// Compiled by the tests, and not run.
import { useRef } from "react";
import { NudgelightBuy } from "@nudgelight/buy/react";

export function Offer() {
  const button = useRef<NudgelightBuy>(null);
  return (
    <>
      <nudgelight-buy
        ref={button}
        className="offer"
        product="nudgelight-one"
        shop="https://shop.example"
        target="_blank"
      />
      {/* @ts-expect-error -- the product is missing */}
      <nudgelight-buy shop="https://shop.example" />
      {/* @ts-expect-error -- no such attribute */}
      <nudgelight-buy product="nudgelight-one" quantity={2} />
      {/* @ts-expect-error -- an attribute is a string */}
      <nudgelight-buy product={1} />
    </>
  );
}

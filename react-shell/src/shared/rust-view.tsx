import * as views from "../generated/app/app.js";
import type { PriceSummaryProps, ReceiptProps } from "../generated/app/app.js";
import { showing } from "./use-rust-view";

/** An order's receipt: the same view that the mail shows. */
export const OrderReceipt = showing<ReceiptProps>((element, props) => views.mountOrderReceipt(element, props));

/** What a purchase costs, line by line. */
export const PriceSummary = showing<PriceSummaryProps>((element, props) => views.mountPriceSummary(element, props));

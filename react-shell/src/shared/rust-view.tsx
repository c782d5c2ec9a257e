import * as views from "../generated/app/app.js";
import type { ReceiptProps } from "../generated/app/app.js";
import { showing } from "./use-rust-view";

/** An order's receipt: the same view that the mail shows. */
export const OrderReceipt = showing<ReceiptProps>((element, props) => views.mountOrderReceipt(element, props));

import * as views from "../generated/app/app.js";
import type { ReceiptProps } from "../generated/app/app.js";
import { createRustView } from "./use-rust-view";

/** An order's receipt, rendered by the same view as the receipt email. */
export const OrderReceipt = createRustView<ReceiptProps>((element, props) => views.mountOrderReceipt(element, props));

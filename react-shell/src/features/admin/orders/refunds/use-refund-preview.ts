import { useEffect, useState } from "react";
import { previewRefund, type RefundParts, type RefundRequest } from "./api";
import { refundError } from "./save-refund";

/** What a refund comes to, or why it is impossible. */
export interface RefundPreview {
  parts?: RefundParts;
  error?: string;
}

/** Typing a number takes longer than this between two keys. */
const TYPING_PAUSE_MS = 200;

/** Asks the server for the parts of a refund. Undefined until the response for this request has arrived. */
export function useRefundPreview(orderId: string, request: RefundRequest | undefined): RefundPreview | undefined {
  const [preview, setPreview] = useState<RefundPreview & { key: string }>();
  const key = request === undefined ? "" : JSON.stringify(request);
  useEffect(() => {
    if (key === "") return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      previewRefund(orderId, JSON.parse(key) as RefundRequest, abort.signal).then(
        (parts) => setPreview({ key, parts }),
        (error: unknown) => !abort.signal.aborted && setPreview({ key, error: refundError(error) }),
      );
    }, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [orderId, key]);
  return preview?.key === key ? preview : undefined;
}

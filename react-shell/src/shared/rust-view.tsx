import { useEffect, useRef, useState } from "react";
import type * as AppViews from "../generated/app/app.js";

type Views = typeof AppViews;
type ReceiptProps = AppViews.ReceiptProps;

/** What a mounted Rust view is held by. */
interface Handle<Props> {
  update: (props: Props) => void;
  unmount: () => void;
}

type Mount<Props> = (views: Views, element: HTMLElement, props: Props) => Handle<Props>;

let loading: Promise<Views> | undefined;

/** The views come when the first of them is shown, and once. */
function loadViews(): Promise<Views> {
  loading ??= startViews().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function startViews(): Promise<Views> {
  const views = await import("../generated/app/app.js");
  await views.default();
  return views;
}

/** React owns the empty host and nothing in it; the view owns what is inside and nothing else. */
function useRustView<Props>(mount: Mount<Props>, props: Props) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const handle = useRef<Handle<Props>>(undefined);
  const [failure, setFailure] = useState<unknown>();

  useEffect(() => {
    latest.current = props;
    handle.current?.update(props);
  }, [props]);

  useEffect(() => {
    let isGone = false;
    async function start() {
      try {
        const views = await loadViews();
        if (!isGone && host.current) handle.current = mount(views, host.current, latest.current);
      } catch (error) {
        if (!isGone) setFailure(error);
      }
    }
    void start();
    return () => {
      isGone = true;
      handle.current?.unmount();
      handle.current = undefined;
    };
  }, [mount]);

  if (failure !== undefined) throw failure;
  return host;
}

const mountReceipt: Mount<ReceiptProps> = (views, element, props) => views.mountOrderReceipt(element, props);

/** An order's receipt: the same view that the mail shows. */
export function OrderReceipt(props: ReceiptProps) {
  const host = useRustView(mountReceipt, props);
  return <div ref={host} className="min-h-96" />;
}

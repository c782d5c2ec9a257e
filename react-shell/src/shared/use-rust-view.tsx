import { useLayoutEffect, useRef } from "react";
import init from "../generated/app/app.js";
import type { ViewHandle } from "../generated/app/app.js";

/** Must have happened before any view is shown. */
export async function startViews(): Promise<void> {
  await init();
}

export type Mount<Props, Events> = (element: HTMLElement, props: Props, events: () => Events) => ViewHandle<Props>;

/**
 * React owns the empty host and nothing in it; the view owns what is inside and nothing else. It is there before the
 * browser paints, follows new props without losing what it holds by itself, and hands events to the latest listener.
 */
export function useRustView<Element extends HTMLElement, Props, Events>(
  mount: Mount<Props, Events>,
  props: Props,
  events: Events,
) {
  const host = useRef<Element>(null);
  const latest = useRef({ props, events });
  const handle = useRef<ViewHandle<Props>>(undefined);

  useLayoutEffect(() => {
    const before = latest.current.props;
    latest.current = { props, events };
    if (!isSame(before, props)) handle.current?.update(props);
  }, [props, events]);

  useLayoutEffect(() => {
    if (!host.current) return;
    handle.current = mount(host.current, latest.current.props, () => latest.current.events);
    return () => {
      handle.current?.unmount();
      handle.current = undefined;
    };
  }, [mount]);

  return host;
}

/** A view that only shows. */
export function showing<Props>(mount: (element: HTMLElement, props: Props) => ViewHandle<Props>) {
  return function View(props: Props) {
    const host = useRustView<HTMLDivElement, Props, undefined>(mount, props, undefined);
    return <div ref={host} />;
  };
}

/** React makes the props of a component anew each time; the same members are the same props. */
function isSame<Props>(before: Props, props: Props): boolean {
  if (Object.is(before, props)) return true;
  const [old, next] = [Object.entries(before as object), Object.entries(props as object)];
  return old.length === next.length && next.every(([key, value]) => Object.is(before[key as keyof Props], value));
}

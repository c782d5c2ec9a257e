import { useLayoutEffect, useRef } from "react";
import init from "../generated/app/app.js";
import type { ViewHandle } from "../generated/app/app.js";

/** Loads the WASM package of the Leptos views. Required before any view mounts. */
export async function startViews(): Promise<void> {
  await init();
}

export type Mount<Props, Events> = (element: HTMLElement, props: Props, events: () => Events) => ViewHandle<Props>;

/**
 * Mounts a Leptos view into a host element. React owns the empty host, the view owns its content. The view mounts before
 * the browser paints, keeps its state when props change, and calls the latest event handlers.
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
    if (!isShallowEqual(before, props)) handle.current?.update(props);
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

/** Creates a component for a Leptos view without events. */
export function createRustView<Props>(mount: (element: HTMLElement, props: Props) => ViewHandle<Props>) {
  return function View(props: Props) {
    const host = useRustView<HTMLDivElement, Props, undefined>(mount, props, undefined);
    return <div ref={host} />;
  };
}

/** Shallow comparison: React creates a new props object for each render. */
function isShallowEqual<Props>(before: Props, props: Props): boolean {
  if (Object.is(before, props)) return true;
  const [old, next] = [Object.entries(before as object), Object.entries(props as object)];
  return old.length === next.length && next.every(([key, value]) => Object.is(before[key as keyof Props], value));
}

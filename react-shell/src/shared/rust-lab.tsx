import { useEffect, useLayoutEffect, useRef } from "react";
import type * as LabPackage from "../generated/lab/lab.js";
import type { ClockListener, LabEvents, LabHandle, Motion } from "../generated/lab/lab.js";
import { downloadFile } from "./download-file";
import { findInShell } from "./first-paint";
import { saveText, savedText, newLine } from "./saved-text";
import { scrollToElement } from "./scroll";

export type { FileForLight, LightReport, LightSettings, Signal, Statement } from "../generated/lab/lab.js";

/** The functions of the package that know the light's files. */
export type LightFunctions = Pick<
  typeof LabPackage,
  "fileForLight" | "firmwareVersion" | "lampSignals" | "lightSettings" | "readReport"
>;

export type Lab = typeof LabPackage;

/** A URL fragment that carries a shared schedule, or names a recipe. */
const OPENS_SCHEDULE = /^#(rules|schedule)=/;
/** Lazy loading starts at this distance from the viewport. */
const PRELOAD_MARGIN = "400px";

let loading: Promise<Lab> | undefined;

/**
 * Loads the WASM package of the Schedule Lab, only for visitors who reach it. A failed load is retried on the next
 * call.
 */
export function loadLab(): Promise<Lab> {
  loading ??= import("../generated/lab/lab.js").then(async (lab) => {
    await lab.default();
    return lab;
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** The visitor's time zone and motion preference. */
export function viewerProps(): { zone: string; motion: Motion } {
  const prefersReducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  return {
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    motion: prefersReducedMotion ? "reduced" : "full",
  };
}

/** Mounts a view of the loaded package into a host element, once, before the browser paints. */
export function useLabView(mount: (element: HTMLElement, clock: ClockListener) => LabHandle) {
  const host = useRef<HTMLDivElement>(null);
  const first = useRef(mount);
  useLayoutEffect(() => {
    if (!host.current) return;
    const handle = first.current(host.current, CLOCK);
    return () => {
      handle.unmount();
    };
  }, []);
  return host;
}

/**
 * Mounts the Schedule Lab into its place when it nears the viewport or the URL fragment asks for it.
 * `saveToLight` must stay the same function.
 */
export function useScheduleLab(saveToLight: LabEvents["saveToLight"]): void {
  useEffect(() => {
    const place = findInShell("#lab-place");
    if (place === null) return;
    const lab = createLab(place, { ...EVENTS, saveToLight });
    const isLinked = window.location.hash === "#lab" || OPENS_SCHEDULE.test(window.location.hash);
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void lab.show();
      },
      { rootMargin: PRELOAD_MARGIN },
    );
    observer.observe(place);
    if (isLinked) {
      void lab.show();
      scrollToElement(place.parentElement);
    }
    const openShared = () => void lab.openShared();
    window.addEventListener("hashchange", openShared);
    return () => {
      observer.disconnect();
      window.removeEventListener("hashchange", openShared);
      lab.unmount();
    };
  }, [saveToLight]);
}

function createLab(place: HTMLElement, events: LabEvents) {
  let handle: LabPackage.LabHandle | undefined;
  let isWanted = false;

  function mount(lab: Lab) {
    const props: LabPackage.LabProps = {
      fragment: window.location.hash,
      line: newLine() ?? null,
      saved: savedText() ?? null,
      ...viewerProps(),
    };
    handle?.unmount();
    // Removes the placeholder.
    place.replaceChildren();
    handle = lab.mountLab(place, props, events);
  }

  async function show() {
    if (isWanted) return;
    isWanted = true;
    try {
      const lab = await loadLab();
      if (isWanted) mount(lab);
    } catch {
      isWanted = false;
      place.textContent = "The Lab couldn’t be loaded. Reload the page to try again.";
    }
  }

  return {
    show,
    /** Opens another shared link while the Lab is mounted. */
    async openShared() {
      if (handle !== undefined && OPENS_SCHEDULE.test(window.location.hash)) mount(await loadLab());
    },
    unmount() {
      isWanted = false;
      handle?.unmount();
      handle = undefined;
    },
  };
}

const CLOCK: ClockListener = { now: () => BigInt(Date.now()) };
const EVENTS: Omit<LabEvents, "saveToLight"> = { ...CLOCK, download, saveText, share };

function download(text: string): void {
  downloadFile({ content: new Blob([text], { type: "text/plain;charset=utf-8" }), name: "schedule.txt" });
}

function share(fragment: string): string {
  const url = new URL(window.location.href);
  url.hash = fragment;
  window.history.replaceState(window.history.state, "", url);
  // The clipboard may be blocked. The view shows the link, too.
  navigator.clipboard?.writeText(url.href).catch(() => undefined);
  return url.href;
}

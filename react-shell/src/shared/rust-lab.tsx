import { useEffect } from "react";
import type * as LabPackage from "../generated/lab/lab.js";
import type { LabEvents } from "../generated/lab/lab.js";
import { downloadFile } from "./download-file";
import { ownLine } from "./own-line";
import { scrollToElement } from "./scroll";

export type { FileForLight, LightReport, LightSettings, Signal, Statement } from "../generated/lab/lab.js";

/** The functions of the package that know the light's files. */
export type LightFunctions = Pick<
  typeof LabPackage,
  "fileForLight" | "firmwareVersion" | "lampSignals" | "lightSettings" | "readReport"
>;

/** Prefix of the URL fragment that carries a shared schedule. */
const SHARED_PREFIX = "#rules=";
/** Lazy loading starts at this distance from the viewport. */
const PRELOAD_MARGIN = "400px";

let loading: Promise<typeof LabPackage> | undefined;

/**
 * Loads the WASM package of the Schedule Lab, only for visitors who reach it. A failed load is retried on the next
 * call.
 */
export function loadLab(): Promise<typeof LabPackage> {
  loading ??= import("../generated/lab/lab.js").then(async (lab) => {
    await lab.default();
    return lab;
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/**
 * Mounts the Schedule Lab into its placeholder when it nears the viewport or the URL fragment asks for it.
 * `saveToLight` must stay the same function.
 */
export function useScheduleLab(saveToLight: LabEvents["saveToLight"]): void {
  useEffect(() => {
    const placeholder = document.getElementById("lab-place");
    if (placeholder === null) return;
    const lab = createLab(placeholder, { ...EVENTS, saveToLight });
    const isLinked = window.location.hash === "#lab" || window.location.hash.startsWith(SHARED_PREFIX);
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void lab.show();
      },
      { rootMargin: PRELOAD_MARGIN },
    );
    observer.observe(placeholder);
    if (isLinked) {
      void lab.show();
      scrollToElement(placeholder.parentElement);
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

function createLab(placeholder: HTMLElement, events: LabEvents) {
  let handle: LabPackage.LabHandle | undefined;
  let isWanted = false;

  function mount(lab: typeof LabPackage) {
    const prefersReducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const props: LabPackage.LabProps = {
      fragment: window.location.hash,
      line: ownLine() ?? null,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      motion: prefersReducedMotion ? "reduced" : "full",
    };
    handle?.unmount();
    handle = lab.mountLab(placeholder, props, events);
  }

  async function show() {
    if (isWanted) return;
    isWanted = true;
    try {
      const lab = await loadLab();
      if (isWanted) mount(lab);
    } catch {
      isWanted = false;
      placeholder.textContent = "The Lab couldn’t be loaded. Reload the page to try again.";
    }
  }

  return {
    show,
    /** Opens another shared link while the Lab is mounted. */
    async openShared() {
      if (handle !== undefined && window.location.hash.startsWith(SHARED_PREFIX)) mount(await loadLab());
    },
    unmount() {
      isWanted = false;
      handle?.unmount();
      handle = undefined;
    },
  };
}

const EVENTS: Omit<LabEvents, "saveToLight"> = { now: () => BigInt(Date.now()), download, share };

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

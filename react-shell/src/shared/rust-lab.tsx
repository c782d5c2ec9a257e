import { useEffect } from "react";
import type * as LabPackage from "../generated/lab/lab.js";
import type { LabEvents } from "../generated/lab/lab.js";

/** Where a shared schedule begins in a page's address. */
const SHARED = "#rules=";
/** The Lab is on its way before it is in sight. */
const NEAR = "400px";

let loading: Promise<typeof LabPackage> | undefined;

/** The Lab's package, which nobody loads who does not come to it. A failed load is tried again the next time. */
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

/** Puts the Lab into its place on the page as soon as somebody comes near it, or asked for it. */
export function useScheduleLab(): void {
  useEffect(() => {
    const place = document.getElementById("lab-place");
    if (place === null) return;
    const lab = placeLab(place);
    const isAsked = window.location.hash === "#lab" || window.location.hash.startsWith(SHARED);
    const nearing = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void lab.show();
      },
      { rootMargin: NEAR },
    );
    nearing.observe(place);
    if (isAsked) {
      void lab.show();
      place.parentElement?.scrollIntoView();
    }
    const openShared = () => void lab.openShared();
    window.addEventListener("hashchange", openShared);
    return () => {
      nearing.disconnect();
      window.removeEventListener("hashchange", openShared);
      lab.leave();
    };
  }, []);
}

function placeLab(place: HTMLElement) {
  let handle: LabPackage.LabHandle | undefined;
  let isWanted = false;

  function mount(lab: typeof LabPackage) {
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const props: LabPackage.LabProps = {
      fragment: window.location.hash,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      motion: isStill ? "reduced" : "full",
    };
    handle?.unmount();
    handle = lab.mountLab(place, props, EVENTS);
  }

  async function show() {
    if (isWanted) return;
    isWanted = true;
    try {
      const lab = await loadLab();
      if (isWanted) mount(lab);
    } catch {
      isWanted = false;
      place.textContent = "The Lab could not be loaded. Reload the page to try again.";
    }
  }

  return {
    show,
    /** Somebody pasted another link while the Lab is open. */
    async openShared() {
      if (handle !== undefined && window.location.hash.startsWith(SHARED)) mount(await loadLab());
    },
    leave() {
      isWanted = false;
      handle?.unmount();
      handle = undefined;
    },
  };
}

const EVENTS: LabEvents = { now: () => BigInt(Date.now()), download, share };

/** The file never leaves the browser. */
function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "schedule.txt";
  link.click();
  // The browser reads it after this task.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function share(fragment: string): string {
  const url = new URL(window.location.href);
  url.hash = fragment;
  window.history.replaceState(window.history.state, "", url);
  // The link is shown as well: a browser that keeps its clipboard to itself is no fault.
  navigator.clipboard?.writeText(url.href).catch(() => undefined);
  return url.href;
}

import rulesUrl from "./generated/wasm-core/wasm_core_bg.wasm?url";
import viewsUrl from "./generated/app/app_bg.wasm?url";
import "./styles.css";

/** Who touches the page wants it to answer, and waits no longer. */
const TOUCHES = ["pointerdown", "keydown"];

let isStarted = false;

// Everything that the shell needs shares the line with what the server's page needs to be seen; so that comes first.
if (document.readyState === "complete") startAfterPaint();
else addEventListener("load", startAfterPaint);
for (const touch of TOUCHES) addEventListener(touch, start);

/** What the page needs is there, but most often not yet on the screen. A page that nobody sees is not painted. */
function startAfterPaint(): void {
  if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes("paint")) start();
  else new PerformanceObserver(start).observe({ type: "paint", buffered: true });
}

function start(): void {
  if (isStarted) return;
  isStarted = true;
  // The modules are asked for beside the scripts, which would ask for them later.
  for (const url of [rulesUrl, viewsUrl]) {
    const preload = Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", href: url });
    preload.crossOrigin = "anonymous";
    document.head.append(preload);
  }
  void import("./main");
}

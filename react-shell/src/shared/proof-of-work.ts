import type { AltchaWidget, WidgetState } from "./altcha";

/** Solves the proof of work for a form without a visible widget, and returns the token. */
export async function solveProofOfWork(action: "back_in_stock"): Promise<string> {
  await import("./altcha");
  const widget: AltchaWidget = document.createElement("altcha-widget");
  widget.hidden = true;
  widget.setAttribute("auto", "onload");
  widget.setAttribute("challenge", `/api/bot-check?action=${action}`);
  try {
    return await new Promise<string>((resolve, reject) => {
      widget.addEventListener("statechange", (event) => {
        const { payload, state } = (event as CustomEvent<WidgetState>).detail;
        if (state === "verified" && payload) resolve(payload);
        else if (state === "error") reject(new Error("the proof of work failed"));
      });
      document.body.append(widget);
    });
  } finally {
    widget.remove();
  }
}

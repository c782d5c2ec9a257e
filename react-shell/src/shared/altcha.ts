import "altcha/external";
import ShaWorker from "altcha/workers/sha?worker";

// The content security policy only allows workers that the shop itself serves.
globalThis.$altcha.algorithms.set("SHA-256", () => new ShaWorker());

export type AltchaWidget = HTMLElementTagNameMap["altcha-widget"];

/** The detail of a widget's `statechange` event. */
export interface WidgetState {
  payload?: string | null;
  state: string;
}

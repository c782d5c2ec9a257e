import { useLayoutEffect } from "react";
import type { ShopConfig } from "./env";
import type { Product } from "./rules";

/** What the server painted the page from, so that the shell need not ask for it again. */
interface FirstPaint {
  config: ShopConfig;
  /** Missing when the server could not read them. */
  products?: Product[];
}

let painted: FirstPaint | undefined = readFirstPaint();
let shell: HTMLElement | undefined;

function readFirstPaint(): FirstPaint | undefined {
  const text = document.getElementById("first-paint")?.textContent;
  return text ? (JSON.parse(text) as FirstPaint) : undefined;
}

/** Only until the shell is shown: from then on it grows old. */
export function firstPaint(): FirstPaint | undefined {
  return painted;
}

/** The shell is made beside the document, whose own page stays until the shell's is there to take its place. */
export function prepareShell(): HTMLElement {
  shell = document.createElement("div");
  shell.className = "frame";
  return shell;
}

/** Says when the shell's first page is complete, its views mounted. */
export function useShown(isComplete: boolean): void {
  useLayoutEffect(() => {
    if (isComplete) showShell();
  }, [isComplete]);
}

/** One change of the document: what was focused, typed or pressed in the server's page goes on in the shell's. */
function showShell(): void {
  const own = document.getElementById("root");
  if (shell === undefined || own === null) return;
  if (own.matches(":active")) return afterRelease(showShell);
  const next = shell;
  shell = undefined;
  painted = undefined;
  const before = controls(own);
  const focused = document.activeElement;
  const place = before.findIndex((control) => control === focused);
  const pressed = before.findIndex((control) => control.dataset["pressed"] !== undefined);
  const typed = before.map((control) => (control instanceof HTMLInputElement ? control.value : undefined));

  document.head.querySelector("title[data-first-paint]")?.remove();
  own.replaceWith(next);
  delete document.documentElement.dataset["returning"];

  const after = controls(next);
  if (after.length !== before.length) return twin(next, focused)?.focus({ preventScroll: true });
  for (const [index, value] of typed.entries()) typeInto(after[index], value);
  (after[place] ?? twin(next, focused))?.focus({ preventScroll: true });
  after[pressed]?.click();
}

/** A press that began in the server's page ends there: in another one it would be no click. */
function afterRelease(then: () => void): void {
  // In a task of its own, after the click.
  const release = () => setTimeout(then);
  for (const end of ["pointerup", "pointercancel", "dragend", "keyup"]) addEventListener(end, release, { once: true });
}

/** The link or button of a page that says the same and leads to the same place. */
function twin(page: HTMLElement, control: Element | null): HTMLElement | undefined {
  if (control === null || control === document.body) return undefined;
  const alike = (other: Element) =>
    other.textContent === control.textContent && other.getAttribute("href") === control.getAttribute("href");
  return [...page.querySelectorAll<HTMLElement>(control.localName)].find(alike);
}

/** Both pages are painted by the same views, so that the same control has the same place among all. */
function controls(page: HTMLElement): HTMLElement[] {
  return [...page.querySelectorAll<HTMLElement>("main :is(a, button, input), header [aria-expanded]")];
}

function typeInto(control: HTMLElement | undefined, value: string | undefined): void {
  if (!(control instanceof HTMLInputElement) || value === undefined || control.value === value) return;
  control.value = value;
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

/** What the server said of its page to search engines holds for no other page. */
export function leaveFirstPage(): void {
  for (const tag of document.head.querySelectorAll("[data-first-paint]")) tag.remove();
}

import { useLayoutEffect } from "react";
import type { Schema } from "./api-types";
import type { Product, ProductList } from "./rules";

/**
 * Data from which the server rendered the page, embedded in it so that the shell need not request it again. The catalog
 * is missing if the server could not read it.
 */
interface FirstPaintData {
  config: Schema<"PublicConfig">;
  /** Names for the Products menu; missing if there are too many of them. */
  menu?: Schema<"ProductName">[];
  /** On the home page; on a product page the product, then the related ones. */
  products?: Product[];
  /** On the product list. */
  list?: ProductList;
}

let firstPaintData: FirstPaintData | undefined = readFirstPaint();
let shell: HTMLElement | undefined;

function readFirstPaint(): FirstPaintData | undefined {
  const text = document.getElementById("first-paint")?.textContent;
  return text ? (JSON.parse(text) as FirstPaintData) : undefined;
}

/** The embedded data; undefined once the shell is visible, because it goes stale. */
export function firstPaint(): FirstPaintData | undefined {
  return firstPaintData;
}

/** Creates the root element of the shell, detached: the server-rendered page stays visible until the shell is ready. */
export function createShellRoot(): HTMLElement {
  shell = document.createElement("div");
  shell.className = "frame";
  return shell;
}

/** Replaces the server-rendered page once the shell's first page is complete, with its views mounted. */
export function useShellSwap(isComplete: boolean): void {
  useLayoutEffect(() => {
    if (isComplete) swapInShell();
  }, [isComplete]);
}

/** Swaps the pages in one DOM change and carries over the focus, the typed text and a pressed button. */
function swapInShell(): void {
  const serverPage = document.getElementById("root");
  if (shell === undefined || serverPage === null) return;
  if (serverPage.matches(":active")) return afterPointerRelease(swapInShell);
  const next = shell;
  shell = undefined;
  firstPaintData = undefined;
  const before = controls(serverPage);
  const focused = document.activeElement;
  const focusedIndex = before.findIndex((control) => control === focused);
  const pressedIndex = before.findIndex((control) => control.dataset["pressed"] !== undefined);
  const values = before.map((control) => (control instanceof HTMLInputElement ? control.value : undefined));

  document.head.querySelector("title[data-first-paint]")?.remove();
  serverPage.replaceWith(next);
  delete document.documentElement.dataset["returning"];

  const after = controls(next);
  if (after.length !== before.length) return findCounterpart(next, focused)?.focus({ preventScroll: true });
  for (const [index, value] of values.entries()) setInputValue(after[index], value);
  (after[focusedIndex] ?? findCounterpart(next, focused))?.focus({ preventScroll: true });
  after[pressedIndex]?.click();
}

/** Delays the swap until a press has ended: a press that ends on another element is not a click. */
function afterPointerRelease(then: () => void): void {
  // The timeout runs after the click event.
  const release = () => setTimeout(then);
  for (const end of ["pointerup", "pointercancel", "dragend", "keyup"]) addEventListener(end, release, { once: true });
}

/** The link or button of a page with the same text and target. */
function findCounterpart(page: HTMLElement, control: Element | null): HTMLElement | undefined {
  if (control === null || control === document.body) return undefined;
  const matches = (other: Element) =>
    other.textContent === control.textContent && other.getAttribute("href") === control.getAttribute("href");
  return [...page.querySelectorAll<HTMLElement>(control.localName)].find(matches);
}

/** The controls of a page, in document order. The same views render both pages, so an index identifies a control. */
function controls(page: HTMLElement): HTMLElement[] {
  return [...page.querySelectorAll<HTMLElement>("main :is(a, button, input), header [aria-expanded]")];
}

function setInputValue(control: HTMLElement | undefined, value: string | undefined): void {
  if (!(control instanceof HTMLInputElement) || value === undefined || control.value === value) return;
  control.value = value;
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Removes the server's metadata for search engines, which describes only the first page. */
export function removeFirstPaintTags(): void {
  for (const tag of document.head.querySelectorAll("[data-first-paint]")) tag.remove();
}

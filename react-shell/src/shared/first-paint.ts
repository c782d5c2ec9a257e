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
  /** The text of a policy's page, as HTML. */
  policy?: string;
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

/** Whether the server rendered the page of this document. */
export function wasServerRendered(): boolean {
  return document.getElementById("root") !== null;
}

/** Creates the root element of the shell, detached: the server-rendered page stays visible until the shell is ready. */
export function createShellRoot(): HTMLElement {
  shell = document.createElement("div");
  shell.className = "frame";
  return shell;
}

/** An element of the shell's page, which may not have taken the place of the server-rendered one yet. */
export function findInShell(selector: string): HTMLElement | null {
  return (shell ?? document).querySelector<HTMLElement>(selector);
}

/** Replaces the server-rendered page once the shell's first page is complete, with its views mounted. */
export function useShellSwap(isComplete: boolean): void {
  useLayoutEffect(() => {
    if (isComplete) swapInShell();
  }, [isComplete]);
}

/** Swaps the pages in one DOM change and carries over the focus, the typed text, the caret and a pressed button. */
function swapInShell(): void {
  const serverPage = document.getElementById("root");
  if (shell === undefined || serverPage === null) return;
  if (serverPage.matches(":active")) return afterPointerRelease(swapInShell);
  const next = shell;
  shell = undefined;
  firstPaintData = undefined;
  const focused = document.activeElement;
  const pressed = serverPage.querySelector("[data-pressed]");
  const inputs = [...serverPage.querySelectorAll("input")];

  // The placeholder stays until the Lab starts.
  const placeholder = serverPage.querySelector(".lab-placeholder");
  if (placeholder !== null) next.querySelector("#lab-place:empty")?.append(placeholder);
  document.head.querySelector("title[data-first-paint]")?.remove();
  serverPage.replaceWith(next);
  delete document.documentElement.dataset["returning"];

  for (const input of inputs) setInputValue(findCounterpart(input, serverPage, next), input.value);
  const focusedNext = findCounterpart(focused, serverPage, next);
  focusedNext?.focus({ preventScroll: true });
  copySelection(focused, focusedNext);
  // A view may set the value of its input again when it has received the typed text.
  setTimeout(() => copySelection(focused, focusedNext));
  findCounterpart(pressed, serverPage, next)?.click();
}

/** Delays the swap until a press has ended: a press that ends on another element is not a click. */
function afterPointerRelease(then: () => void): void {
  // The timeout runs after the click event.
  const release = () => setTimeout(then);
  for (const end of ["pointerup", "pointercancel", "dragend", "keyup"]) addEventListener(end, release, { once: true });
}

/**
 * The shell's control for one of the server-rendered page: of those with the same text, target and name, the one in the
 * same place.
 */
function findCounterpart(control: Element | null, serverPage: HTMLElement, next: HTMLElement): HTMLElement | undefined {
  if (control === null) return undefined;
  const alike = (page: HTMLElement) =>
    [...page.querySelectorAll<HTMLElement>(control.localName)].filter((other) => identity(other) === identity(control));
  return alike(next)[alike(serverPage).findIndex((other) => other === control)];
}

function identity(control: Element): string {
  return [control.textContent, control.getAttribute("href"), control.getAttribute("name")].join("\n");
}

function setInputValue(control: HTMLElement | undefined, value: string): void {
  if (!(control instanceof HTMLInputElement) || control.value === value) return;
  control.value = value;
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Copies the caret, or what is selected, if the text is the same. Inputs of some types, such as email, don't tell. */
function copySelection(from: Element | null, to: HTMLElement | undefined): void {
  if (!(from instanceof HTMLInputElement && to instanceof HTMLInputElement) || from.selectionStart === null) return;
  if (from.value === to.value) to.setSelectionRange(from.selectionStart, from.selectionEnd);
}

/** Removes the server's metadata for search engines, which describes only the first page. */
export function removeFirstPaintTags(): void {
  for (const tag of document.head.querySelectorAll("[data-first-paint]")) tag.remove();
}

/** @typedef {import("@playwright/test").Page} Page */

/** Least width in CSS px and least contrast of a focus ring. */
const LEAST_WIDTH = 2;
const LEAST_CONTRAST = 3;

/** More than any page has controls. */
const MOST_CONTROLS = 200;

const END_OF_WALK = "no element, or the first one again, has the focus";

/** Colors and places change in a transition, if only for a frame, and a busy machine paints late. */
const PAUSE_MS = 250;
const MOST_PAUSES = 20;

/**
 * What is wrong with the visibility of the focus wherever Tab leads, through the page or once around a dialog.
 *
 * @param {Page} page
 */
export async function faultsOfFocus(page) {
  /** @type {string[]} */
  const found = [];
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.scrollTo(0, 0);
  });
  for (let presses = 0; presses < MOST_CONTROLS; presses += 1) {
    await page.keyboard.press("Tab");
    const fault = await faultOfFocus(page, presses === 0);
    if (fault === END_OF_WALK) return found;
    if (fault !== undefined) found.push(fault);
  }
  return [...found, `Tab does not end within ${MOST_CONTROLS} controls`];
}

/**
 * What is wrong with the visibility of the focused element: it is covered, or its ring is missing or too faint.
 *
 * @param {Page} page @param {boolean} [isFirst] whether a walk begins here
 */
export async function faultOfFocus(page, isFirst = true) {
  for (let pauses = 0; pauses < MOST_PAUSES; pauses += 1) {
    const fault = await currentFault(page, isFirst);
    if (fault === undefined || fault === END_OF_WALK) return fault;
    await page.waitForTimeout(PAUSE_MS);
  }
  return currentFault(page, isFirst);
}

/** @param {Page} page @param {boolean} isFirst */
async function currentFault(page, isFirst) {
  const focus = await page.evaluate(describeFocus, isFirst);
  if (focus === undefined) return END_OF_WALK;
  if (!focus.isInFront) return `is covered: ${focus.name}`;
  const ring = focus.rings.find(({ width }) => width >= LEAST_WIDTH);
  if (ring === undefined) return `has no ring: ${focus.name}`;
  const ratio = contrast(ring.color, ring.background);
  return ratio < LEAST_CONTRAST ? `has a ring with a contrast of ${ratio.toFixed(2)}: ${focus.name}` : undefined;
}

/**
 * Runs in the page. The outlines of the focused element and of the elements that show one for it.
 *
 * @param {boolean} isFirst
 */
function describeFocus(isFirst) {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return undefined;
  if (isFirst) Reflect.set(globalThis, "firstFocus", focused);
  else if (Reflect.get(globalThis, "firstFocus") === focused) return undefined;
  const { left, top, right, bottom } = focused.getBoundingClientRect();
  const xs = [left + 3, (left + right) / 2, right - 3];
  const ys = [top + 3, (top + bottom) / 2, bottom - 3];
  const fronts = xs.flatMap((x) => ys.map((y) => document.elementFromPoint(x, y)));
  const around = [
    focused,
    focused.parentElement,
    focused.closest("article, .quantity"),
    focused.closest(".shadow-card"),
  ];
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");

  /** The color that results from painting colors on each other. @param {string[]} colors */
  const painted = (colors) => {
    for (const color of colors) {
      Object.assign(context ?? {}, { fillStyle: color });
      context?.fillRect(0, 0, 1, 1);
    }
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
  };

  const rings = around.flatMap((element) => {
    if (element === null) return [];
    const { outlineStyle, outlineWidth, outlineOffset, outlineColor } = getComputedStyle(element);
    /** @type {string[]} */
    const backgrounds = [];
    // A ring with a negative offset is inside of its element.
    let behind = parseFloat(outlineOffset) < 0 ? element : element.parentElement;
    for (; behind !== null; behind = behind.parentElement)
      backgrounds.unshift(getComputedStyle(behind).backgroundColor);
    return {
      width: outlineStyle === "none" ? 0 : parseFloat(outlineWidth),
      background: painted(backgrounds),
      color: painted([...backgrounds, outlineColor]),
    };
  });
  const isInFront = fronts.some((front) => front && (focused.contains(front) || front.contains(focused)));
  return { name: focused.outerHTML.slice(0, 160), isInFront, rings };
}

/** The contrast ratio of two colors (WCAG 2.2). @param {number[]} one @param {number[]} other */
function contrast(one, other) {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** @param {number[]} color */
function luminance(color) {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @typedef {import("@playwright/test").Page} Page */

/** Least width in CSS px and least contrast of a focus ring. */
const LEAST_WIDTH = 2;
const LEAST_CONTRAST = 3;

export const END_OF_PAGE = "end of the page";

/** Colors and places change in a transition, if only for a frame, and a busy machine paints late. */
const PAUSE_MS = 250;
const MOST_PAUSES = 20;

/**
 * What is wrong with the visibility of the focused element: it is covered, or its ring is missing or too faint.
 *
 * @param {Page} page
 */
export async function faultOfFocus(page) {
  for (let pauses = 0; pauses < MOST_PAUSES; pauses += 1) {
    const fault = await currentFault(page);
    if (fault === undefined || fault === END_OF_PAGE) return fault;
    await page.waitForTimeout(PAUSE_MS);
  }
  return currentFault(page);
}

/** @param {Page} page */
async function currentFault(page) {
  const focus = await page.evaluate(describeFocus);
  if (focus === undefined) return END_OF_PAGE;
  if (!focus.isInFront) return `is covered: ${focus.name}`;
  const ring = focus.rings.find(({ width }) => width >= LEAST_WIDTH);
  if (ring === undefined) return `has no ring: ${focus.name}`;
  const ratio = contrast(ring.color, ring.background);
  return ratio < LEAST_CONTRAST ? `has a ring with a contrast of ${ratio.toFixed(2)}: ${focus.name}` : undefined;
}

/** Runs in the page. The outlines of the focused element and of the elements that show one for it. */
function describeFocus() {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return undefined;
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

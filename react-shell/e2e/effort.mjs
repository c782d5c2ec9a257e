/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("@playwright/test").Locator} Locator */

/**
 * Seconds of the keystroke-level model (Card, Moran and Newell, "The keystroke-level model for user performance time with
 * interactive systems", 1980), for an average typist.
 */
const KEY = 0.28;
const POINT_AND_CLICK = 1.1 + 0.2;
const HAND_TO_KEYBOARD_OR_MOUSE = 0.4;
const DECIDE = 1.35;
/** Silent reading of English: 238 words a minute (Brysbaert, "How many words do we read per minute?", 2019). */
const WORDS_PER_SECOND = 238 / 60;

/** A person who fills in, presses and reads. It counts what they do, and models how long it takes them. */
export class Effort {
  fields = 0;
  pressed = 0;
  /** What the person takes, without what the page and the devices take: to type and press, and to read. */
  seconds = 0;
  reading = 0;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {string} label @param {string} text */
  async types(label, text) {
    await this.page.getByLabel(label, { exact: true }).fill(text);
    this.fields += 1;
    this.typed(text);
  }

  /** Text typed elsewhere: in a field of the browser. @param {string} text */
  typed(text) {
    this.seconds += DECIDE + POINT_AND_CLICK + 2 * HAND_TO_KEYBOARD_OR_MOUSE + KEY * text.length;
  }

  /** @param {string | RegExp} name @param {"button" | "link"} [role] */
  async presses(name, role = "button") {
    await this.page.getByRole(role, { name }).first().click();
    this.clicked();
  }

  /** A press elsewhere: in a dialog of the system. */
  clicked() {
    this.pressed += 1;
    this.seconds += DECIDE + POINT_AND_CLICK;
  }

  /** @param {Locator} text */
  async reads(text) {
    const words = (await text.innerText()).split(/\s+/).filter(Boolean);
    this.reading += words.length / WORDS_PER_SECOND;
  }

  /** @param {string} way */
  tell(way) {
    const seconds = `${this.seconds.toFixed(0)} s, ${this.reading.toFixed(0)} s more to read every word`;
    const figures = `${this.fields} fields, ${this.pressed} presses, ${seconds}`;
    // oxlint-disable-next-line no-console -- docs/performance.md has these figures
    console.log(`${way}: ${figures}`);
  }
}

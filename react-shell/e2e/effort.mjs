/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("@playwright/test").Locator} Locator */

/**
 * Seconds of the keystroke-level model (Card, Moran and Newell, "The keystroke-level model for user performance time with
 * interactive systems", 1980), for an average non-secretary typist.
 */
const KEYSTROKE = 0.28;
const POINT_AND_CLICK = 1.1 + 0.2;
const HOMING = 0.4;
const MENTAL_PREPARATION = 1.35;
/** Silent reading of English: 238 words a minute (Brysbaert, "How many words do we read per minute?", 2019). */
const WORDS_PER_SECOND = 238 / 60;

/** A customer who fills in, presses and reads: counts the actions, and models their time. */
export class Effort {
  fields = 0;
  presses = 0;
  /** Modeled time to type and press, without the response times of pages and devices. */
  seconds = 0;
  /** Modeled time to read, in seconds. */
  readingSeconds = 0;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {string} label @param {string} text */
  async type(label, text) {
    await this.page.getByLabel(label, { exact: true }).fill(text);
    this.fields += 1;
    this.typed(text);
  }

  /** Text typed elsewhere: in a field of the browser. @param {string} text */
  typed(text) {
    this.seconds += MENTAL_PREPARATION + POINT_AND_CLICK + 2 * HOMING + KEYSTROKE * text.length;
  }

  /** @param {string | RegExp} name @param {"button" | "link"} [role] */
  async press(name, role = "button") {
    await this.page.getByRole(role, { name }).first().click();
    this.clicked();
  }

  /** A press elsewhere: in a dialog of the system. */
  clicked() {
    this.presses += 1;
    this.seconds += MENTAL_PREPARATION + POINT_AND_CLICK;
  }

  /** @param {Locator} text */
  async read(text) {
    const words = (await text.innerText()).split(/\s+/).filter(Boolean);
    this.readingSeconds += words.length / WORDS_PER_SECOND;
  }

  /** @param {string} flow */
  log(flow) {
    const seconds = `${this.seconds.toFixed(0)} s, ${this.readingSeconds.toFixed(0)} s more to read every word`;
    const figures = `${this.fields} fields, ${this.presses} presses, ${seconds}`;
    // oxlint-disable-next-line no-console -- docs/performance.md has these figures
    console.log(`${flow}: ${figures}`);
  }
}

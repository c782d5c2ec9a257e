// XPath of what a customer names, for browsers that Playwright cannot operate.

const NAME = "normalize-space(concat(@aria-label, ' ', .))";

/** An enabled button, by the start of its name. @param {string} name */
export function button(name) {
  return `//button[not(@disabled or @aria-disabled="true") and starts-with(${NAME}, "${name}")]`;
}

/** A link, by the start of its name. @param {string} name */
export function link(name) {
  return `//a[starts-with(${NAME}, "${name}")]`;
}

/** A form field, by its label. @param {string} label */
export function field(label) {
  return `//*[@id = //label[normalize-space() = "${label}"]/@for]`;
}

/** The innermost element with a text. @param {string} text */
export function withText(text) {
  return `//*[contains(normalize-space(), "${text}") and not(*[contains(normalize-space(), "${text}")])]`;
}

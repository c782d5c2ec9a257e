/** The element's style, themed by custom properties. Its colors follow the page's `color-scheme`. */
const CSS = `
:host {
  --_background: var(--nudgelight-background, light-dark(#ffffff, #171b2e));
  --_text: var(--nudgelight-text, light-dark(#16181d, #f2f0ea));
  --_border: var(--nudgelight-border, light-dark(#e6e2d8, #2a2f47));
  --_edge: var(--nudgelight-field-border, light-dark(#8c8778, #717895));
  --_accent: var(--nudgelight-accent, light-dark(#ffb020, #ffc14d));
  --_accent-text: var(--nudgelight-accent-text, #16181d);
  --_in-stock: var(--nudgelight-in-stock, light-dark(#1f7a4d, #6fd3a0));
  --_low-stock: var(--nudgelight-low-stock, light-dark(#8a5c00, #f2c55c));
  --_error: var(--nudgelight-error, light-dark(#b42318, #ff9a8f));
  --_radius: var(--nudgelight-radius, 0.75rem);
  display: block;
  max-width: 20rem;
}
:host([hidden]) { display: none; }
* { box-sizing: border-box; margin: 0; }
[part="card"] {
  display: grid;
  gap: 0.5rem;
  padding: 1rem;
  border: 1px solid var(--_border);
  border-radius: var(--_radius);
  background: var(--_background);
  color: var(--_text);
  font-family: var(--nudgelight-font, inherit);
  line-height: 1.5;
  text-align: start;
  overflow-wrap: anywhere;
}
[part="picture"], .picture {
  width: 100%;
  height: auto;
  aspect-ratio: 4 / 3;
  object-fit: contain;
  border-radius: calc(var(--_radius) / 2);
}
[part="name"] { color: inherit; font-weight: 600; text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
[part="price"] { font-size: 1.25rem; font-weight: 600; }
[part~="badge"] {
  justify-self: start;
  padding: 0 0.6rem;
  border: 1px solid currentColor;
  border-radius: 99rem;
  font-size: 0.875rem;
}
[part~="in-stock"] { color: var(--_in-stock); }
[part~="low-stock"] { color: var(--_low-stock); }
[part~="out-of-stock"], [part="error"] { color: var(--_error); }
[part="form"] { display: grid; grid-template-columns: 5rem 1fr; gap: 0.25rem 0.75rem; margin-top: 0.25rem; }
[part="label"], [part="error"] { grid-column: 1 / -1; font-size: 0.875rem; }
[part="error"]:empty { display: none; }
[part="quantity"], [part="button"] {
  min-height: 2.75rem;
  padding: 0.25rem 0.75rem;
  border: 1px solid var(--_edge);
  border-radius: calc(var(--_radius) / 2);
  background: var(--_background);
  color: inherit;
  font: inherit;
}
[part="quantity"] { width: 100%; }
[part="quantity"][aria-invalid="true"] { border-color: var(--_error); }
[part="button"] {
  border-color: transparent;
  background: var(--_accent);
  color: var(--_accent-text);
  font-weight: 600;
  cursor: pointer;
}
[aria-disabled="true"], :disabled { opacity: 0.55; cursor: not-allowed; }
:focus-visible { outline: 3px solid var(--nudgelight-focus, light-dark(#9a6700, #ffc14d)); outline-offset: 2px; }
[part="card"]:focus { outline: none; }
.placeholder { min-height: 1.5rem; border-radius: calc(var(--_radius) / 2); background: var(--_border); }
.placeholder.name { width: 70%; }
.placeholder.price { width: 35%; }
.hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
`;

let sheet: CSSStyleSheet | undefined;

/** One style sheet for all elements of the page. A constructed sheet needs no `style-src` of the page's policy. */
export function styles(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  return sheet;
}

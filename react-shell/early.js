// Inline script that runs before the first paint, to avoid a flash of the wrong theme and layout shifts. The storage
// keys are those of shared/theme.ts, shared/session.ts and features/cart/cart-store.ts.
(() => {
  const page = document.documentElement;
  // Blocked storage throws. Modules use shared/storage.ts; this script runs before them.
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- outside, it would be a global
  const stored = (/** @type {string} */ key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = stored("theme");
  if (theme === "light" || theme === "dark") page.dataset.theme = theme;
  // Visitors with a session or a cart see neither "Login" nor an empty cart before the shell renders.
  if (stored("refreshToken") || (stored("cart") ?? "[]") !== "[]") page.dataset.returning = "";

  // The Lab's placeholder shows an example, not the visitor's schedule. The keys are those of shared/saved-text.ts and
  // shared/own-line.ts.
  if (stored("schedule-text") !== null || stored("schedule-line") || location.hash) page.dataset.ownSchedule = "";

  // A dismissed announcement stays hidden. The key is that of app/announcement-bar.tsx.
  const announcement = document.querySelector("meta[name=announcement]");
  if (announcement && stored("dismissedAnnouncement") === announcement.getAttribute("content"))
    page.dataset.dismissed = "";

  // Records a button pressed before the shell has loaded. shared/first-paint.ts replays the click.
  addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const pressed = event.target.closest("#root :is(button, [role=button])");
    if (!pressed) return;
    event.preventDefault();
    pressed.setAttribute("data-pressed", "");
    // Add to Cart counts even if the visitor leaves the page before the shell has loaded. features/cart/early-add.ts
    // reads it.
    const quantity = pressed.closest("form")?.querySelector("#quantity");
    if (!(quantity instanceof HTMLInputElement) || pressed.getAttribute("type") !== "submit") return;
    const slug = decodeURIComponent(location.pathname.replace(/\/+$/, "").split("/").pop() ?? "");
    try {
      sessionStorage.setItem("early-add", JSON.stringify({ slug, quantity: quantity.value }));
    } catch {
      // Blocked storage: the press counts on this page only.
    }
  });

  // The build output of the shell. Undefined in development, where index.html contains the tags.
  /** @type {{ script: string, style: string, modules: string[] } | undefined} */
  const shell = Reflect.get(globalThis, "SHELL");
  if (!shell) return;

  let isStarted = false;
  // Requests all files at once. The script runs when the style sheet has loaded.
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    const modules = shell.modules.map((href) =>
      href.endsWith(".js") ? { rel: "modulepreload", href } : { rel: "preload", as: "fetch", href },
    );
    const style = { rel: "stylesheet", href: shell.style, onload: () => void import(shell.script) };
    for (const attributes of [...modules, style])
      document.head.append(Object.assign(document.createElement("link"), { crossOrigin: "anonymous" }, attributes));
  };

  // Loads the shell after the first paint, because it competes with the server-rendered page for bandwidth: in the task
  // after an animation frame. A hidden page has no frames. A paint report would not do: Firefox has none for a page that
  // opens scrolled.
  addEventListener("load", () => {
    if (document.hidden) start();
    else requestAnimationFrame(() => setTimeout(start));
    setTimeout(start, 1000);
  });
  // An interaction loads the shell at once.
  addEventListener("DOMContentLoaded", () => {
    for (const interaction of ["pointerdown", "keydown"]) addEventListener(interaction, start);
  });
})();

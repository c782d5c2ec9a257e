// Runs before anything is painted, so that nothing changes colour or place later. What is kept where: shared/theme.ts,
// shared/session.ts and features/cart/cart-store.ts.
(() => {
  const page = document.documentElement;
  // Storage that is blocked throws. Modules have shared/storage.ts; this runs before them.
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- outside it would be a global
  const stored = (/** @type {string} */ key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = stored("theme");
  if (theme === "light" || theme === "dark") page.dataset.theme = theme;
  // Whoever has a session or a cart sees neither "Login" nor an empty cart until the shell knows better.
  if (stored("refreshToken") || (stored("cart") ?? "[]") !== "[]") page.dataset.returning = "";

  // A button that is pressed before the shell is there is pressed again once it is: shared/first-paint.ts.
  addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const pressed = event.target.closest("#root :is(button, [role=button])");
    if (!pressed) return;
    event.preventDefault();
    pressed.setAttribute("data-pressed", "");
  });

  // The build's files of the shell. While it is developed they stand in the page.
  /** @type {{ script: string, style: string, modules: string[] } | undefined} */
  const shell = Reflect.get(globalThis, "SHELL");
  if (!shell) return;

  let isStarted = false;
  // All of it is asked for at once, and runs when its style is there.
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

  // They share the line with what the server's page needs to be seen; so that comes first. What it needs is there when
  // it has loaded, but most often not yet on the screen. A page that nobody sees is not painted.
  addEventListener("load", () => {
    if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes("paint")) start();
    else new PerformanceObserver(start).observe({ type: "paint", buffered: true });
  });
  // Who touches the page wants it to answer, and waits no longer.
  addEventListener("DOMContentLoaded", () => {
    for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, start);
  });
})();

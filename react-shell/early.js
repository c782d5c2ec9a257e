// Runs before anything is painted, so that nothing changes colour or place later. What is kept where: shared/theme.ts,
// shared/session.ts and features/cart/cart-store.ts.
(() => {
  const page = document.documentElement;
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") page.dataset.theme = theme;
  // Whoever has a session or a cart sees neither "Login" nor an empty cart until the shell knows better.
  if (localStorage.getItem("refreshToken") || (localStorage.getItem("cart") ?? "[]") !== "[]")
    page.dataset.returning = "";

  // A button that is pressed before the shell is there is pressed again once it is: shared/first-paint.ts.
  addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const pressed = event.target.closest("#root :is(button, [role=button])");
    if (!pressed) return;
    event.preventDefault();
    pressed.setAttribute("data-pressed", "");
  });
})();

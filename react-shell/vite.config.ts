import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const shop = process.env["SHOP_URL"] ?? "http://127.0.0.1:3000";

export default defineConfig({
  base: "/",
  plugins: [react(), tailwindcss()],
  // Nothing is inlined: the content security policy allows only files of our own.
  build: { target: "es2022", assetsInlineLimit: 0 },
  worker: { format: "es" },
  server: {
    strictPort: true,
    proxy: { "/api": shop, "/images": shop, "/test-stripe": shop },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["src/test-setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
    testTimeout: 20_000,
    mockReset: true,
  },
});

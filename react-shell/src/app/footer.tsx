import { Monitor, Moon, Sun } from "lucide-react";
import { ToggleGroup } from "radix-ui";
import { useState } from "react";
import type { ShopConfig } from "../shared/env";
import { paths } from "../shared/paths";
import { chooseTheme, chosenTheme, type Theme } from "../shared/theme";
import { ShopLink } from "../shared/ui/link";

const LINKS = [
  [paths.about, "About"],
  [paths.tutorial, "Setup Tutorial"],
  [paths.contact, "Contact"],
  [paths.shippingAndReturns, "Shipping and Returns"],
  [paths.privacy, "Privacy"],
  [paths.terms, "Terms"],
] as const;

export function Footer({ config }: { config: ShopConfig }) {
  return (
    <footer className="no-print border-t border-line px-4 py-8 sm:px-6">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-6">
        <nav aria-label="Footer">
          <ul className="flex flex-wrap gap-x-6 gap-y-2">
            {LINKS.map(([to, text]) => (
              <li key={to}>
                <ShopLink to={to} className="inline-block py-1 text-muted hover:text-ink hover:underline">
                  {text}
                </ShopLink>
              </li>
            ))}
          </ul>
        </nav>
        <ThemeSwitch />
        <p className="w-full text-sm text-muted">
          © {config.shopName} · Prices are in US dollars.
          {config.testMode && " This shop is in test mode: no real money moves."}
        </p>
      </div>
    </footer>
  );
}

const THEMES = [
  { theme: "system", label: "Like the system", icon: Monitor },
  { theme: "light", label: "Light", icon: Sun },
  { theme: "dark", label: "Dark", icon: Moon },
] as const;

function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(chosenTheme);

  function choose(value: string) {
    const next = THEMES.find((entry) => entry.theme === value)?.theme;
    if (next === undefined) return;
    chooseTheme(next);
    setTheme(next);
  }

  return (
    <ToggleGroup.Root
      type="single"
      value={theme}
      onValueChange={choose}
      aria-label="Colors of the page"
      className="flex rounded-field border border-line p-0.5"
    >
      {THEMES.map(({ theme: value, label, icon: Icon }) => (
        <ToggleGroup.Item
          key={value}
          value={value}
          aria-label={label}
          title={label}
          className="inline-flex size-9 items-center justify-center rounded-lg text-muted hover:text-ink data-[state=on]:bg-line data-[state=on]:text-ink"
        >
          <Icon aria-hidden className="size-4" />
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}

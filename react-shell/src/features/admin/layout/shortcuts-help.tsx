import { Keyboard } from "lucide-react";
import { useState } from "react";
import { CheckboxField } from "../../../shared/ui/field";
import { Dialog } from "../../../shared/ui/dialog";
import { setShortcuts, areShortcutsEnabled } from "../shared/shortcut-preference";
import { useShortcuts } from "../shared/use-shortcuts";

const KEYS: [key: string, meaning: string][] = [
  ["/", "Search orders"],
  ["j", "Next order, in the list and on an order’s page"],
  ["k", "Previous order"],
  ["Enter", "Open the order"],
  ["x", "Select the order"],
  ["Ctrl K", "Go to a page, an order, or a product"],
  ["?", "Show this help"],
];

/** The list of keyboard shortcuts, opened by a button or the ? key. */
export function ShortcutsHelp({ className }: { className: string }) {
  const [isOpen, setOpen] = useState(false);
  useShortcuts({ "?": () => setOpen(true) });
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} className={`pointer-coarse:hidden ${className}`}>
        <Keyboard aria-hidden className="size-5 shrink-0" />
        <span className="max-sm:sr-only">Shortcuts</span>
      </button>
      <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => setOpen(false)}>
        <dl className="mb-4 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
          {KEYS.map(([key, meaning]) => (
            <div key={key} className="contents">
              <dt>
                <kbd className="inline-block min-w-8 rounded-md border border-edge px-2 py-0.5 text-center font-sans text-sm">
                  {key}
                </kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <CheckboxField
          label="Enable single-key shortcuts"
          defaultChecked={areShortcutsEnabled()}
          onChange={(event) => setShortcuts(event.target.checked ? "on" : "off")}
        />
      </Dialog>
    </>
  );
}

import { Keyboard } from "lucide-react";
import { useState } from "react";
import { CheckboxField } from "../../shared/ui/field";
import { Dialog } from "../../shared/ui/dialog";
import { chooseShortcuts, usesShortcuts } from "./shortcut-choice";
import { useShortcuts } from "./use-shortcuts";

const KEYS: [key: string, meaning: string][] = [
  ["/", "Search the orders"],
  ["j", "Next order"],
  ["k", "Previous order"],
  ["Enter", "Open the order"],
  ["?", "Show this help"],
];

/** The button, the key and the list of all keys. */
export function ShortcutsHelp({ className }: { className: string }) {
  const [isOpen, setOpen] = useState(false);
  useShortcuts({ "?": () => setOpen(true) });
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} className={className}>
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
          label="Use single keys as shortcuts"
          defaultChecked={usesShortcuts()}
          onChange={(event) => chooseShortcuts(event.target.checked ? "on" : "off")}
        />
      </Dialog>
    </>
  );
}

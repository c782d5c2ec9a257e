import { useEffect, useId, useState, type KeyboardEvent } from "react";
import { scrollToElement } from "../../../../shared/scroll";
import { useNavigateTo } from "../../../../shared/use-navigate-to";
import { Dialog } from "../../../../shared/ui/dialog";
import { useCommands, type Command } from "./use-commands";

/** Goes to an admin page, an order or a product by its name. Opened by Ctrl+K or ⌘K. */
export function CommandPalette() {
  const [isOpen, setOpen] = useState(false);
  const navigateTo = useNavigateTo();

  useEffect(() => {
    function onKeyDown(event: globalThis.KeyboardEvent) {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      // Only one dialog at a time.
      if (document.querySelector("[role=dialog]") !== null) return;
      event.preventDefault();
      setOpen(true);
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  function choose({ path }: Command) {
    setOpen(false);
    navigateTo(path);
  }

  return (
    <Dialog title="Go to…" isOpen={isOpen} onClose={() => setOpen(false)}>
      <Combobox onChoose={choose} />
    </Dialog>
  );
}

/** A text field with a list of options. The focus stays in the field; arrow keys move the active option. */
function Combobox({ onChoose }: { onChoose: (command: Command) => void }) {
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const listId = useId();
  const commands = useCommands(typed);
  const index = Math.min(active, commands.length - 1);
  const optionId = (position: number) => `${listId}-${position}`;

  function move(by: number) {
    if (commands.length > 0) setActive((index + by + commands.length) % commands.length);
  }

  function onKeyDown(event: KeyboardEvent) {
    const command = commands[index];
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && command) onChoose(command);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <input
        role="combobox"
        aria-label="Page, order or product"
        aria-expanded={commands.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={index >= 0 ? optionId(index) : undefined}
        className="mb-3 min-h-11 w-full rounded-field border border-edge bg-card px-3"
        placeholder="Page, order number, customer or product"
        autoComplete="off"
        maxLength={254}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={listId}
        role="listbox"
        aria-label="Results"
        hidden={commands.length === 0}
        className="max-h-80 overflow-y-auto"
      >
        {commands.map((command, position) => (
          <Option
            key={command.id}
            id={optionId(position)}
            command={command}
            isActive={position === index}
            onChoose={() => onChoose(command)}
          />
        ))}
      </div>
      <p role="status" className={commands.length > 0 ? "sr-only" : "text-muted"}>
        {commands.length === 0
          ? "Nothing found."
          : `${commands.length} ${commands.length === 1 ? "result" : "results"}.`}
      </p>
    </>
  );
}

interface OptionProps {
  id: string;
  command: Command;
  isActive: boolean;
  onChoose: () => void;
}

function Option({ id, command, isActive, onChoose }: OptionProps) {
  return (
    <button
      type="button"
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className="flex min-h-11 w-full items-center justify-between gap-4 rounded-field px-3 text-left hover:bg-line/40 aria-selected:bg-line/70"
      onClick={onChoose}
      ref={(element) => {
        if (isActive) scrollToElement(element, { block: "nearest" });
      }}
    >
      <span className="truncate">{command.label}</span>
      <span className="text-sm text-muted">{command.kind}</span>
    </button>
  );
}

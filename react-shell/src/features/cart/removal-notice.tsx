import { Undo2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { isFocusLost } from "../../shared/focus";
import { Button } from "../../shared/ui/button";
import type { Removal } from "./use-removal";

interface Props {
  removal: Removal | undefined;
  error: string | undefined;
  onUndo: (removal: Removal) => void;
}

/** Says which line was removed, with a button that puts it back. It stays on the screen. The live region exists before its text. */
export function RemovalNotice({ removal, error, onUndo }: Props) {
  const button = useUndoFocus(removal);
  return (
    <div className={removal && "sticky top-3 z-30 mx-auto mb-6 w-full max-w-6xl"}>
      <div
        className={
          removal &&
          "flex items-center justify-between gap-x-3 rounded-field border border-line bg-card py-1.5 pr-1.5 pl-4"
        }
      >
        <p role="status" className="min-w-0">
          {removal && (error ?? `${removal.line.name} was removed from your cart.`)}
        </p>
        {removal && (
          <Button ref={button} variant="ghost" className="shrink-0" onClick={() => onUndo(removal)}>
            <Undo2 aria-hidden className="size-4" />
            Undo
          </Button>
        )}
      </div>
    </div>
  );
}

/** Focuses Undo, because the pressed button disappears with its line. */
function useUndoFocus(removal: Removal | undefined) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (removal !== undefined && isFocusLost()) button.current?.focus({ preventScroll: true });
  }, [removal]);
  return button;
}

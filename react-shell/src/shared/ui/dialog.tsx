import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { useRef, type ReactNode } from "react";
import { focusPageHeading, isFocusLost } from "../focus";
import { scrollToElement } from "../scroll";

interface Props {
  title: string;
  /** Text below the title, announced by screen readers when the dialog opens. */
  description?: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog with a focus trap. The focus returns to the control that opened it. */
export function Dialog({ title, description, isOpen, onClose, children }: Props) {
  const focusReturn = useFocusReturn();
  return (
    <Primitive.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-[rgb(8_10_20/0.55)]" />
        <Primitive.Content
          className="fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-xl -translate-1/2 overflow-y-auto rounded-card border border-line bg-card p-5 shadow-float sm:p-6"
          {...(description === undefined && { "aria-describedby": undefined })}
          {...focusReturn}
          // Radix's focus trap moves the focus without scrolling.
          onFocus={({ target }) => scrollToElement(target, { block: "nearest" })}
        >
          <Primitive.Title className="mb-4 pr-10 text-xl">{title}</Primitive.Title>
          {description !== undefined && <Primitive.Description className="mb-4">{description}</Primitive.Description>}
          {children}
          {/* Last in the tab order: the focus starts in the content. */}
          <Primitive.Close className="absolute top-3 right-3 rounded-field p-2.5 text-muted hover:bg-line/60 hover:text-ink">
            <X aria-hidden className="size-5" />
            <span className="sr-only">Close</span>
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Radix returns the focus to its own trigger only, but here a page's state opens the dialog. */
function useFocusReturn() {
  const opener = useRef<Element>(null);
  return {
    onOpenAutoFocus() {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault();
      if (opener.current instanceof HTMLElement) opener.current.focus();
      if (isFocusLost()) focusPageHeading();
    },
  };
}

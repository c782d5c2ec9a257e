import { useState, type DragEvent, type ReactNode } from "react";

interface Props {
  /** Text below the button: that files can be dropped, and which. */
  hint: string;
  onDropped: (files: File[]) => void;
  /** The button that opens a file dialog. */
  children: ReactNode;
}

/** An area that takes dropped files. */
export function DropZone({ hint, onDropped, children }: Props) {
  const [isOver, setOver] = useState(false);

  function onDragOver(event: DragEvent) {
    // Allows the drop, and keeps the browser from opening the file.
    event.preventDefault();
    setOver(true);
  }

  function onDrop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    onDropped([...event.dataTransfer.files]);
  }

  return (
    <div
      data-testid="drop-zone"
      className={`flex flex-col items-center gap-2 rounded-card border border-dashed p-5 text-center ${isOver ? "border-glow bg-glow/10" : "border-edge"}`}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      {children}
      <p className="text-sm text-muted">{hint}</p>
    </div>
  );
}

import { lazy, Suspense, useCallback, useState, type ReactNode } from "react";

const LightDialog = lazy(async () => ({ default: (await import("./light-dialog")).LightDialog }));

/** The dialog that saves a schedule to a light. Its code is loaded when it is opened for the first time. */
export function useLightDialog(): { open: (text: string) => void; dialog: ReactNode } {
  const [text, setText] = useState<string>();
  const open = useCallback((schedule: string) => setText(schedule), []);
  const dialog =
    text === undefined ? null : (
      <Suspense fallback={null}>
        <LightDialog text={text} onClose={() => setText(undefined)} />
      </Suspense>
    );
  return { open, dialog };
}

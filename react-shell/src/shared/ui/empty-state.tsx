import type { ReactNode } from "react";
import { UnlitLight } from "../rust-pages";

interface Props {
  /** A heading or a sentence: its level depends on the page. */
  title: ReactNode;
  text?: ReactNode;
  /** The one way on. */
  action?: ReactNode;
}

/** An empty page or section, or one that failed to load: an unlit light, what is missing, and one way on. */
export function EmptyState({ title, text, action }: Props) {
  return (
    <div className="empty-state">
      <UnlitLight />
      {title}
      {text !== undefined && <p className="text-muted">{text}</p>}
      {action}
    </div>
  );
}

import { useEffect, useRef } from "react";
import { isFocusLost } from "../../../shared/focus";
import { Button } from "../../../shared/ui/button";
import { Notice } from "../../../shared/ui/notice";
import type { Difference, Keep } from "./merge-edit";

interface Props {
  message: string;
  subject: "order" | "product" | "settings";
  differences: Difference[];
  isBusy: boolean;
  /** Without it, the buttons submit the surrounding form with the choice as `keep`. */
  onKeep?: (keep: Keep) => void;
  /** Closes the editor: while a conflict is shown, its buttons replace those of the form. */
  onCancel?: () => void;
}

/** An edit conflict (optimistic concurrency): the fields that both changed, side by side, to choose one version. */
export function ConflictNotice({ message, subject, differences, isBusy, onKeep, onCancel }: Props) {
  const notice = useRef<HTMLDivElement>(null);
  // The pressed button of the form is gone.
  useEffect(() => {
    if (isFocusLost()) notice.current?.focus();
  }, []);
  const button = (keep: Keep) => ({
    ...(onKeep ? { onClick: () => onKeep(keep) } : { type: "submit" as const, name: "keep", value: keep }),
    disabled: isBusy,
  });
  return (
    <div ref={notice} tabIndex={-1}>
      <Notice kind="warning">
        <p className="font-semibold">{message}</p>
        <p>{subject === "settings" ? "These settings were" : `This ${subject} was`} changed by someone else.</p>
        <table className="my-3 w-full table-fixed text-left">
          <caption className="sr-only">Fields that you both changed</caption>
          <thead className="text-sm text-muted">
            <tr>
              <th scope="col" className="pr-3 font-medium">
                Yours
              </th>
              <th scope="col" className="font-medium">
                Theirs
              </th>
            </tr>
          </thead>
          {differences.map(({ label, mine, theirs }) => (
            <tbody key={label}>
              <tr>
                <th scope="rowgroup" colSpan={2} className="border-t border-line pt-2 text-sm font-semibold">
                  {label}
                </th>
              </tr>
              <tr className="align-top wrap-anywhere">
                <td className="pr-3 pb-2">{mine}</td>
                <td className="pb-2">{theirs}</td>
              </tr>
            </tbody>
          ))}
        </table>
        <div className="flex flex-wrap gap-3">
          <Button {...button("theirs")}>Take Theirs</Button>
          <Button {...button("mine")}>Keep Mine</Button>
          {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        </div>
      </Notice>
    </div>
  );
}

import type { ReactNode } from "react";
import { Notice } from "../../../shared/ui/notice";

export interface Difference {
  label: string;
  mine: string;
  theirs: string;
}

interface Props {
  message: string;
  subject: "order" | "product" | "settings";
  differences: Difference[];
  /** Buttons that resolve the conflict. */
  children: ReactNode;
}

/** An edit conflict (optimistic concurrency): shows both versions side by side, to choose one. */
export function ConflictNotice({ message, subject, differences, children }: Props) {
  return (
    <Notice kind="warning">
      <p className="font-semibold">{message}</p>
      <p>{subject === "settings" ? "These settings were" : `This ${subject} was`} changed by someone else.</p>
      {differences.length === 0 ? (
        <p className="my-3">Your changes match theirs.</p>
      ) : (
        <table className="my-3 w-full table-fixed text-left">
          <caption className="sr-only">Both versions</caption>
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
      )}
      <div className="flex flex-wrap gap-3">{children}</div>
    </Notice>
  );
}

import { Button } from "../../../shared/ui/button";
import { Card } from "../../../shared/ui/page";
import { Pagination } from "../../../shared/ui/pagination";
import { Timestamp } from "../../../shared/ui/timestamp";
import type { SettingChange, SettingChanges } from "./api";

interface Props {
  history: SettingChanges;
  standard: string;
  onRestore: (markdown: string) => void;
}

/** Every text that the policy has had, latest first. */
export function PolicyHistory({ history: { changes, page, totalPages }, standard, onRestore }: Props) {
  return (
    <Card>
      <h2 className="mb-4 text-xl">History</h2>
      {changes.length === 0 ? (
        <p className="text-muted">The standard text has not been changed yet.</p>
      ) : (
        <ol className="divide-y divide-line">
          {changes.map((change) => (
            <Version key={change.version} change={change} standard={standard} onRestore={onRestore} />
          ))}
        </ol>
      )}
      <Pagination page={page} totalPages={totalPages} />
    </Card>
  );
}

interface VersionProps extends Omit<Props, "history"> {
  change: SettingChange;
}

function Version({ change: { value, actor, created_at_local }, standard, onRestore }: VersionProps) {
  const markdown = typeof value === "string" ? value : standard;
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <details>
        <summary className="wrap-anywhere">
          <Timestamp at={created_at_local} /> · {actor}
          {markdown === standard && " · standard text"}
        </summary>
        <pre className="my-3 max-h-96 overflow-auto rounded-field border border-line p-4 font-mono text-sm whitespace-pre-wrap">
          {markdown}
        </pre>
        <Button onClick={() => onRestore(markdown)}>Restore</Button>
      </details>
    </li>
  );
}

import { Card } from "../../../shared/ui/page";
import { Pagination } from "../../../shared/ui/pagination";
import { Timestamp } from "../../../shared/ui/timestamp";
import type { SettingChange, SettingChanges } from "./api";
import { settingLabel, settingText } from "./setting-texts";

/** Who changed what, and when; latest first. */
export function SettingHistory({ changes: { changes, page, totalPages } }: { changes: SettingChanges }) {
  return (
    <Card>
      <h2 className="mb-4 text-xl">History</h2>
      {changes.length === 0 ? (
        <p className="text-muted">No setting has been changed yet.</p>
      ) : (
        <ol className="divide-y divide-line">
          {changes.map((change) => (
            <ChangeRow key={`${change.version} ${change.name}`} change={change} />
          ))}
        </ol>
      )}
      <Pagination page={page} totalPages={totalPages} />
    </Card>
  );
}

function ChangeRow({ change: { name, before, value, actor, created_at_local } }: { change: SettingChange }) {
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <p className="wrap-anywhere">
        <span className="font-medium">{settingLabel(name)}:</span> {settingText(name, before)} →{" "}
        {settingText(name, value)}
      </p>
      <p className="text-sm wrap-anywhere text-muted">
        <Timestamp at={created_at_local} /> · {actor}
      </p>
    </li>
  );
}

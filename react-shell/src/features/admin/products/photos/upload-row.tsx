import { CircleAlert } from "lucide-react";
import { Button } from "../../../../shared/ui/button";
import type { Upload } from "./use-uploads";

interface Props {
  upload: Upload;
  onRetry: () => void;
  onDismiss: () => void;
}

/** A file on its way, or the reason why it failed. */
export function UploadRow({ upload: { file, state }, onRetry, onDismiss }: Props) {
  return (
    <li className="space-y-2 py-3">
      <p className="text-sm break-words">{file.name}</p>
      {state.kind === "failed" ? (
        <>
          <p role="alert" className="flex items-start gap-2 text-sm text-bad">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0">{state.message}</span>
          </p>
          <div className="flex flex-wrap gap-3">
            {state.canRetry && <Button onClick={onRetry}>Try Again</Button>}
            <Button onClick={onDismiss} aria-label={`Dismiss ${file.name}`}>
              Dismiss
            </Button>
          </div>
        </>
      ) : (
        <Progress name={file.name} state={state} />
      )}
    </li>
  );
}

type Underway = Exclude<Upload["state"], { kind: "failed" }>;

function Progress({ name, state }: { name: string; state: Underway }) {
  return (
    <div className="flex items-center gap-3">
      <progress
        aria-label={`Uploading ${name}`}
        value={state.kind === "sending" ? state.sent : 0}
        max={1}
        className="h-2 grow appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-glow [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-glow"
      />
      <span aria-hidden className="w-24 text-right text-sm text-muted tabular-nums">
        {describe(state)}
      </span>
    </div>
  );
}

function describe(state: Underway): string {
  if (state.kind === "waiting") return "Waiting...";
  return state.sent < 1 ? `${Math.round(state.sent * 100)}%` : "Processing...";
}

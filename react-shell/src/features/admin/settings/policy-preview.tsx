import { useId, useRef, useState } from "react";
import { serverMessage } from "../../../shared/api-client";
import { Button } from "../../../shared/ui/button";
import { Notice } from "../../../shared/ui/notice";
import { Card } from "../../../shared/ui/page";
import { previewPolicy } from "./api";

type Preview = { kind: "none" | "loading" } | { kind: "ready"; html: string } | { kind: "failed"; message: string };

/** The text as customers will see it, rendered by the server. */
export function PolicyPreview({ markdown }: { markdown: string }) {
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [preview, setPreview] = useState<Preview>({ kind: "none" });

  async function show() {
    setPreview({ kind: "loading" });
    try {
      setPreview({ kind: "ready", html: await previewPolicy(markdown) });
      heading.current?.focus();
    } catch (error) {
      setPreview({ kind: "failed", message: serverMessage(error, "Couldn’t load the preview") });
    }
  }

  return (
    <Card>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 id={headingId} ref={heading} tabIndex={-1} className="text-xl">
          Preview
        </h2>
        <Button onClick={() => void show()} disabled={preview.kind === "loading"}>
          Show Preview
        </Button>
      </div>
      {preview.kind === "failed" && <Notice kind="error">{preview.message}</Notice>}
      {preview.kind === "ready" && (
        <div
          role="region"
          aria-labelledby={headingId}
          className="policy max-w-2xl"
          // oxlint-disable-next-line react/no-danger -- sanitized by the shop's own server
          dangerouslySetInnerHTML={{ __html: preview.html }}
        />
      )}
    </Card>
  );
}

import { useEffect, useRef, useState } from "react";
import { downloadFile } from "../download-file";
import { Button } from "./button";

/** New recovery codes, which are not shown again. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const [isCopied, setCopied] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // The form before them, whose button had the focus, is gone.
  useEffect(() => {
    heading.current?.focus();
  }, []);
  const text = `${codes.join("\n")}\n`;
  return (
    <div className="space-y-4">
      <h2 ref={heading} tabIndex={-1} className="text-xl">
        Save your recovery codes
      </h2>
      <p>
        If you lose your phone, use one of these codes with your password. Each works once. They won’t be shown again.
      </p>
      <ul className="grid gap-1 font-mono sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => downloadFile({ content: new Blob([text]), name: "recovery-codes.txt" })}>
          Download
        </Button>
        <Button onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
          {isCopied ? "Copied" : "Copy"}
        </Button>
      </div>
    </div>
  );
}

import type { NamedFile } from "./api-client";

/** Saves a file under its name, without a request to the server. */
export function downloadFile({ content, name }: Pick<NamedFile, "content" | "name">): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the blob after this task.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

import type { ReactNode } from "react";
import { Page } from "../../shared/ui/page";

/** A page of text. */
export function Prose({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page title={title} width="text">
      <div className="space-y-4 [&_h2]:pt-4 [&_h2]:text-xl [&_ol]:list-decimal [&_ol]:space-y-2 [&_ol]:pl-6 [&_ul]:list-disc [&_ul]:space-y-2 [&_ul]:pl-6">
        {children}
      </div>
    </Page>
  );
}

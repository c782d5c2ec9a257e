import { Fragment } from "react";

/** An email address that breaks before `@` and dots if it is too long for a line, or anywhere if that is not enough. */
export function EmailText({ email }: { email: string }) {
  const parts = email.split(/(?=[@.])/);
  return (
    <span className="wrap-anywhere">
      {parts.map((part, index) => (
        <Fragment key={parts.slice(0, index + 1).join("")}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}

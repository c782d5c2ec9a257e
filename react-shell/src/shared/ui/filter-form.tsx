import type { ReactNode } from "react";
import { Form, Link, useLocation } from "react-router";
import { Button } from "./button";
import { buttonClass } from "./button-class";

/** A filter that lives in the address: it can be bookmarked, and Back undoes it. It starts at the first page. */
export function FilterForm({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation();
  return (
    <Form key={search} method="get" className="mb-6 flex flex-wrap items-end gap-3">
      {children}
      <Button type="submit">Filter</Button>
      {search !== "" && (
        <Link to={pathname} className={buttonClass("quiet")}>
          Clear
        </Link>
      )}
    </Form>
  );
}

import type { ReactNode } from "react";
import { Form, Link, useLocation } from "react-router";
import { Button } from "./button";
import { buttonClass } from "./button-class";

/** A filter stored in the URL query, so that bookmarks and Back work. Submitting it returns to the first page. */
export function FilterForm({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation();
  return (
    <Form key={search} method="get" className="mb-6 flex flex-wrap items-end gap-3">
      {children}
      <Button type="submit">Filter</Button>
      {search !== "" && (
        <Link to={pathname} className={buttonClass("ghost")}>
          Clear
        </Link>
      )}
    </Form>
  );
}

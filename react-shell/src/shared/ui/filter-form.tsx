import type { ReactNode } from "react";
import { Form, Link, useLocation } from "react-router";
import { Button } from "./button";
import { buttonClass } from "./button-class";

/** A filter stored in the URL query, so that bookmarks and Back work. Submitting it returns to the first page. */
export function FilterForm({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation();
  return (
    <Form key={search} method="get" className="mb-6 flex flex-wrap items-start gap-3">
      {children}
      {/* In line with the controls, below the height of a label; last on a phone. */}
      <div className="flex gap-3 max-sm:order-last max-sm:basis-full sm:mt-7.5">
        <Button type="submit">Filter</Button>
        {search !== "" && (
          <Link to={pathname} className={buttonClass("ghost")}>
            Clear
          </Link>
        )}
      </div>
    </Form>
  );
}

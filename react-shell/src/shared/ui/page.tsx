import type { ReactNode } from "react";
import { useRootData } from "../root-data";
import { isNoIndex } from "../paths";
import { useLocation } from "react-router";

interface TitledProps {
  title: string;
  /** The heading, if it differs from the tab's title. */
  heading?: ReactNode;
}

/** A page whose tab's title depends on data that is still loading. */
interface LoadingProps {
  /** A `PageHead`. */
  title: ReactNode;
  heading: ReactNode;
}

type Props = (TitledProps | LoadingProps) & {
  aside?: ReactNode;
  children: ReactNode;
  width?: "text" | "form" | "wide";
};

const WIDTHS = { text: "max-w-2xl", form: "max-w-md", wide: "max-w-6xl" } as const;

/** A page with its title and heading. The heading takes the focus after a navigation. */
export function Page({ title, heading, aside, children, width = "wide" }: Props) {
  return (
    <div className={`mx-auto w-full ${WIDTHS[width]}`}>
      {typeof title === "string" ? <PageHead title={title} /> : title}
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 tabIndex={-1} className="text-3xl">
          {heading ?? title}
        </h1>
        {aside}
      </div>
      {children}
    </div>
  );
}

/** Document title and robots metadata. */
export function PageHead({ title }: { title: string }) {
  const { shop_name: shopName } = useRootData().config;
  const { pathname } = useLocation();
  return (
    <>
      <title>{title === shopName ? shopName : `${title} · ${shopName}`}</title>
      {isNoIndex(pathname) && <meta name="robots" content="noindex" />}
    </>
  );
}

export function Card({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <section className={`rounded-card border border-line bg-card p-5 shadow-card sm:p-6 ${className}`}>
      {children}
    </section>
  );
}

import { Suspense, type ReactNode } from "react";
import { Await } from "react-router";

interface Props<T> {
  data: Promise<T>;
  /** As large as what will come. */
  skeleton: ReactNode;
  /** Shown instead when it does not come; without it the page's own error is shown. */
  failure?: ReactNode;
  children: (data: T) => ReactNode;
}

/** What is on its way, and then what came. Data that is loaded anew stays visible until the new one is there. */
export function Deferred<T>({ data, skeleton, failure, children }: Props<T>) {
  return (
    <Suspense fallback={skeleton}>
      <Await resolve={data} {...(failure !== undefined && { errorElement: failure })}>
        {(loaded) => children(loaded as T)}
      </Await>
    </Suspense>
  );
}

import { Suspense, type ReactNode } from "react";
import { Await } from "react-router";

interface Props<T> {
  data: Promise<T>;
  /** The same size as the content, to avoid a layout shift. */
  skeleton: ReactNode;
  /** Shown if the promise rejects. Without it, the route's error boundary renders. */
  failure?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Renders a deferred promise of a loader. While it reloads, the previous data stays visible. */
export function Deferred<T>({ data, skeleton, failure, children }: Props<T>) {
  return (
    <Suspense fallback={skeleton}>
      <Await resolve={data} {...(failure !== undefined && { errorElement: failure })}>
        {(loaded) => children(loaded as T)}
      </Await>
    </Suspense>
  );
}

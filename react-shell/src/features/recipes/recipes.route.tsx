import { useLoaderData } from "react-router";
import { useOfflinePages } from "../../shared/offline";
import { loadLab, useLabView, viewerProps, type Lab } from "../../shared/rust-lab";
import { PageHead } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";

export function loader(): Promise<Lab> {
  return loadLab();
}

/** The wall of lamps. */
export function Component() {
  const lab = useLoaderData<Lab>();
  useOfflinePages();
  const host = useLabView((element, clock) => lab.mountRecipeWall(element, viewerProps(), clock));
  return (
    <>
      <PageHead title="Schedule Recipes" />
      <div ref={host} />
    </>
  );
}

export function ErrorBoundary() {
  return <RouteError message="Couldn’t load the recipes" />;
}

import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { request } from "../../shared/api-client";
import type { ResponseBody } from "../../shared/api-types";
import { firstPaint } from "../../shared/first-paint";
import { POLICY_TITLES, type Policy } from "../../shared/policies";
import { useRootData } from "../../shared/root-data";
import { TextPage } from "../../shared/rust-pages";
import { PageHead } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";

interface PageData {
  policy: Policy;
  html: string;
}

/** The path is the policy's name. */
export async function loader({ request: { url } }: LoaderFunctionArgs): Promise<PageData> {
  const policy = new URL(url).pathname.replaceAll("/", "") as Policy;
  const embedded = firstPaint()?.policy;
  if (embedded !== undefined) return { policy, html: embedded };
  const { html } = await request<ResponseBody<"/api/policies/{policy}">>("GET", `/api/policies/${policy}`);
  return { policy, html };
}

export function Component() {
  const { policy, html } = useLoaderData<PageData>();
  const { shop_name: shopName } = useRootData().config;
  return (
    <>
      <PageHead title={POLICY_TITLES[policy]} />
      <TextPage key={policy} text={policy} shopName={shopName} policy={html} firmware={null} />
    </>
  );
}

export function ErrorBoundary() {
  return <RouteError message="Failed to load this page" />;
}

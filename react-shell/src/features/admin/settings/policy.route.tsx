import { redirect, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { requireAdmin } from "../../../shared/auth-guard";
import { POLICY_TITLES, type Policy } from "../../../shared/policies";
import { ShopLink } from "../../../shared/ui/link";
import { Page } from "../../../shared/ui/page";
import { RouteError } from "../../../shared/ui/route-error";
import { getPolicyText, listSettingChanges, type PolicyText, type SettingChanges } from "./api";
import { PolicyEditor } from "./policy-editor";
import { savePolicy, type SavePolicyResult } from "./save-policy";
import { adminPaths } from "../shared/paths";

interface Loaded {
  policy: Policy;
  text: PolicyText;
  history: SettingChanges;
}

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Loaded> {
  requireAdmin(request);
  const policy = params["policy"] ?? "";
  if (!isPolicy(policy)) throw redirect(adminPaths.settings);
  const page = new URL(request.url).searchParams.get("page") ?? "1";
  const query = new URLSearchParams({ name: policySetting(policy), page });
  const [text, history] = await Promise.all([getPolicyText(policy), listSettingChanges(query)]);
  return { policy, text, history };
}

export async function action({ request, params }: ActionFunctionArgs): Promise<SavePolicyResult> {
  requireAdmin(request);
  return savePolicy(policySetting(params["policy"] ?? ""), await request.formData());
}

function isPolicy(name: string): name is Policy {
  return Object.hasOwn(POLICY_TITLES, name);
}

/** The setting of a policy. */
function policySetting(policy: string): string {
  return policy.replaceAll("-", "_");
}

export function Component() {
  const { policy, text, history } = useLoaderData<Loaded>();
  return (
    <Page
      title={POLICY_TITLES[policy]}
      aside={
        <ShopLink to={adminPaths.settings} className="text-link">
          All settings
        </ShopLink>
      }
    >
      <PolicyEditor key={policy} policy={policy} text={text} history={history} />
    </Page>
  );
}

export function ErrorBoundary() {
  return <RouteError message="Couldn’t load the policy" />;
}

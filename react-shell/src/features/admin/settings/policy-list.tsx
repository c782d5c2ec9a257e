import { POLICY_TITLES, type Policy } from "../../../shared/policies";
import { ShopLink } from "../../../shared/ui/link";
import { Card } from "../../../shared/ui/page";
import { settingPaths } from "./paths";

/** Links to the editors of the policies. */
export function PolicyList() {
  return (
    <Card>
      <h2 className="mb-4 text-xl">Policies</h2>
      <ul className="flex flex-wrap gap-x-6 gap-y-2">
        {Object.entries(POLICY_TITLES).map(([policy, title]) => (
          <li key={policy}>
            <ShopLink
              to={settingPaths.policy(policy as Policy)}
              className="text-link inline-flex min-h-11 items-center"
            >
              Edit {title}
            </ShopLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}

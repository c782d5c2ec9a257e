import type { Policy } from "../../../shared/policies";

export const settingPaths = {
  policy: (policy: Policy) => `/admin/settings/${policy}`,
} as const;

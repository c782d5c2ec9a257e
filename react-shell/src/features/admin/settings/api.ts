import type { RequestBody, ResponseBody, Schema } from "../../../shared/api-types";
import { authorizedRequest } from "../../../shared/auth-guard";
import type { Policy } from "../../../shared/policies";

export type Settings = Schema<"Settings">;
export type SettingsVersion = Schema<"SettingsVersion">;
export type SettingsPatch = RequestBody<"/api/admin/settings", "patch">;
export type SettingChanges = ResponseBody<"/api/admin/settings/history">;
export type SettingChange = Schema<"SettingChange">;
export type TimeZones = ResponseBody<"/api/admin/time-zones">;
export type PolicyText = ResponseBody<"/api/admin/policies/{policy}">;

export const getSettings = () => authorizedRequest<SettingsVersion>("GET", "/api/admin/settings");
export const updateSettings = (body: SettingsPatch) =>
  authorizedRequest<SettingsVersion>("PATCH", "/api/admin/settings", { body });
export const listSettingChanges = (query: URLSearchParams) =>
  authorizedRequest<SettingChanges>("GET", `/api/admin/settings/history?${query}`);
export const listTimeZones = () => authorizedRequest<TimeZones>("GET", "/api/admin/time-zones");
export const getPolicyText = (policy: Policy) => authorizedRequest<PolicyText>("GET", `/api/admin/policies/${policy}`);
export const previewPolicy = async (markdown: string) => {
  const body = { markdown };
  return (await authorizedRequest<{ html: string }>("POST", "/api/admin/policy-preview", { body })).html;
};

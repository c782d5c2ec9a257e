import type { RequestBody, ResponseBody, Schema } from "../../../shared/api-types";
import { authorizedRequest } from "../../../shared/auth-guard";

export type Settings = Schema<"Settings">;
export type SettingsVersion = Schema<"SettingsVersion">;
export type SettingsPatch = RequestBody<"/api/admin/settings", "patch">;
export type SettingChanges = ResponseBody<"/api/admin/settings/history">;
export type SettingChange = Schema<"SettingChange">;

export const getSettings = () => authorizedRequest<SettingsVersion>("GET", "/api/admin/settings");
export const updateSettings = (body: SettingsPatch) =>
  authorizedRequest<SettingsVersion>("PATCH", "/api/admin/settings", { body });
export const listSettingChanges = (query: URLSearchParams) =>
  authorizedRequest<SettingChanges>("GET", `/api/admin/settings/history?${query}`);

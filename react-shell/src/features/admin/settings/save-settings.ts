import { ApiError, serverFieldErrors, serverMessage } from "../../../shared/api-client";
import { failed, fieldValue, succeeded, type FormResult } from "../../../shared/form-result";
import { forgetConfig } from "../../../shared/shop-config";
import { updateSettings, type SettingsPatch, type SettingsVersion } from "./api";
import { readSection, type Section } from "./read-section";

/** `saved` after a success. An edit conflict has `current`, the settings saved meanwhile, and `mine`, the edit. */
export type SaveSettingsResult = FormResult & {
  saved?: SettingsVersion;
  current?: SettingsVersion;
  mine?: SettingsPatch;
};

const SAVE_FAILED = "Failed to save changes";

/** Saves a section. The form names it. */
export async function saveSettings(form: FormData): Promise<SaveSettingsResult> {
  const read = readSection(fieldValue(form, "section") as Section, form);
  if (!read.ok) return failed(SAVE_FAILED, read.fields);
  const mine = read.value;
  try {
    const saved = await updateSettings({ ...mine, version: Number(fieldValue(form, "version")) });
    forgetConfig();
    return { ...succeeded("Saved. Every page has the change within five seconds."), saved };
  } catch (error) {
    const current = conflictingSettings(error);
    if (current) return { ...failed(SAVE_FAILED), current, mine };
    return failed(serverMessage(error, SAVE_FAILED), serverFieldErrors(error));
  }
}

/** The settings in force after an edit conflict; undefined for any other error. */
export function conflictingSettings(error: unknown): SettingsVersion | undefined {
  if (!(error instanceof ApiError) || error.body.code !== "EditConflict") return undefined;
  const current = error.body.details?.current;
  return current && "settings" in current ? current : undefined;
}

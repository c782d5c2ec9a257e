import { serverFieldErrors, serverMessage } from "../../../shared/api-client";
import { failed, fieldValue, succeeded, type FormResult } from "../../../shared/form-result";
import { updateSettings, type SettingsVersion } from "./api";
import { conflictingSettings } from "./save-settings";

/** `saved` after a success, `current` after an edit conflict: the settings in force. */
export type SavePolicyResult = FormResult & { saved?: SettingsVersion; current?: SettingsVersion };

const SAVE_FAILED = "Failed to save changes";

/** Saves the text of a policy under the name of its setting. The standard text is saved as none. */
export async function savePolicy(setting: string, form: FormData): Promise<SavePolicyResult> {
  const text = fieldValue(form, "markdown").replaceAll("\r\n", "\n");
  const markdown = text.trim() === fieldValue(form, "standard").replaceAll("\r\n", "\n").trim() ? "" : text;
  try {
    const saved = await updateSettings({ [setting]: markdown, version: Number(fieldValue(form, "version")) });
    return { ...succeeded("Saved. Live within 5 seconds."), saved };
  } catch (error) {
    const current = conflictingSettings(error);
    if (current) return { ...failed(SAVE_FAILED), current };
    const { [setting]: message } = serverFieldErrors(error);
    return failed(serverMessage(error, SAVE_FAILED), message === undefined ? {} : { markdown: message });
  }
}

import { ApiError, serverFieldErrors, serverMessage } from "../../../shared/api-client";
import { failed, fieldValue, succeeded, type FormResult } from "../../../shared/form-result";
import { forgetConfig } from "../../../shared/shop-config";
import {
  readEdit,
  savedMessage,
  saveMerged,
  type Conflict,
  type OtherVersion,
  type Values,
} from "../shared/merge-edit";
import { updateSettings, type SettingsPatch, type SettingsVersion } from "./api";
import { readSection, type Section } from "./read-section";
import { SECTION_FIELDS, settingValues } from "./setting-values";

/** `saved` after a success. `conflict`: the fields that someone else changed as well. */
export type SaveSettingsResult = FormResult & {
  saved?: SettingsVersion;
  conflict?: Conflict;
  /** The settings of someone else that the edit met. */
  theirs?: SettingsVersion;
};

const SAVE_FAILED = "Failed to save changes";

/** Saves a section. The form names it. */
export async function saveSettings(form: FormData): Promise<SaveSettingsResult> {
  const section = fieldValue(form, "section") as Section;
  const fields = SECTION_FIELDS[section];
  let theirs: SettingsVersion | undefined;

  function otherVersion(error: unknown): OtherVersion | undefined {
    theirs = conflictingSettings(error);
    return theirs && { version: theirs.version, theirs: settingValues(theirs.settings) };
  }

  try {
    const save = (values: Values, version: number) => updateSettings({ ...sectionEdit(section, values), version });
    const result = await saveMerged(readEdit(form, fields), { fields, save, otherVersion });
    const met = theirs && { theirs };
    if ("differences" in result) return { ...failed(SAVE_FAILED), conflict: result, ...met };
    forgetConfig();
    const message = savedMessage("Saved. Live within 5 seconds.", result);
    return { ...succeeded(message), ...(result.saved && { saved: result.saved }), ...met };
  } catch (error) {
    return failed(serverMessage(error, SAVE_FAILED), serverFieldErrors(error));
  }
}

/** The edit of these values. Two valid versions may be invalid together. */
function sectionEdit(section: Section, values: Values): SettingsPatch {
  const read = readSection(section, (name) => values[name] ?? "");
  if (!read.ok) throw new ApiError(400, { error: SAVE_FAILED, fields: read.fields });
  return read.value;
}

/** The settings in force after an edit conflict; undefined for any other error. */
export function conflictingSettings(error: unknown): SettingsVersion | undefined {
  if (!(error instanceof ApiError) || error.body.code !== "EditConflict") return undefined;
  const current = error.body.details?.current;
  return current && "settings" in current ? current : undefined;
}

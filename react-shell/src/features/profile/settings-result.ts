import type { FormResult } from "../../shared/form-result";

/** The result of a form of the settings. `isCodeSent`: a code for the first password was emailed. */
export type SettingsResult = FormResult & { isCodeSent?: true };

import { useEffect, useState, type FormEvent } from "react";
import type { FileForLight, LightFunctions, LightSettings } from "../rust-lab";
import { Button } from "../ui/button";
import { CheckboxField, TextField } from "../ui/field";
import { Notice } from "../ui/notice";
import { withDriveErrors, readSchedule, saveSchedule, type Light } from "./drive";
import { useAttempt } from "./use-attempt";

interface Props {
  light: Light;
  text: string;
  lab: LightFunctions;
  /** Version of the firmware that the shop offers, if it is an update. */
  update: string | undefined;
  onSaved: () => void;
  onUpdate: () => void;
  onReport: () => void;
  onOtherLight: () => void;
}

/** Zone of a new light. */
const FACTORY_ZONE = "UTC";

/** The light's settings, which stay as they are unless they are changed, and *Save*. */
export function SettingsForm({ light, text, lab, update, onSaved, onUpdate, onReport, onOtherLight }: Props) {
  const { error, isRunning, attempt } = useAttempt();
  const { settings, setSettings, failure, retry } = useSettings(light, text, lab);
  const file = settings && lab.fileForLight(text, settings);

  function save(event: FormEvent) {
    event.preventDefault();
    if (file === undefined || blocker(file) !== undefined) return;
    void attempt(async () => {
      await withDriveErrors(() => saveSchedule(light, file.text, lab));
      onSaved();
    });
  }

  return (
    <form className="grid gap-4" onSubmit={save} noValidate>
      <p className="text-sm text-muted">
        Light {light.report.serial}, firmware {light.report.version}.{" "}
        <button type="button" className="text-link" onClick={onOtherLight}>
          Choose another light
        </button>
      </p>
      {update !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-field border border-line p-3">
          <span>Firmware {update} is available.</span>
          <Button onClick={onUpdate}>Update My Light</Button>
        </div>
      )}
      {failure !== undefined && (
        <div className="grid justify-items-start gap-3">
          <Notice kind="error">{failure}</Notice>
          <Button onClick={retry}>Try Again</Button>
        </div>
      )}
      {settings !== undefined && (
        <SettingFields
          settings={settings}
          labZone={lab.lightSettings(text).timezone}
          file={file}
          onChange={setSettings}
        />
      )}
      {file !== undefined && <Warning file={file} />}
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="primary"
          disabled={isRunning || file === undefined || blocker(file) !== undefined}
        >
          Save
        </Button>
        <Button variant="ghost" onClick={onReport}>
          Read the Light’s Report
        </Button>
      </div>
    </form>
  );
}

/** The settings on the light. A failure stays until they are read: saving without them would lose them. */
function useSettings(light: Light, text: string, lab: LightFunctions) {
  const [settings, setSettings] = useState<LightSettings>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    let isWanted = true;
    readSettings(light, text, lab).then(
      (read) => isWanted && setSettings(read),
      (error: unknown) => isWanted && setFailure(String(error instanceof Error ? error.message : error)),
    );
    return () => {
      isWanted = false;
    };
  }, [light, text, lab]);

  async function retry() {
    try {
      setSettings(await readSettings(light, text, lab));
      setFailure(undefined);
    } catch (error) {
      setFailure(String(error instanceof Error ? error.message : error));
    }
  }
  return { settings, setSettings, failure, retry: () => void retry() };
}

/** What the light lacks comes from the text, and so does the zone of a new light. */
async function readSettings(light: Light, text: string, lab: LightFunctions): Promise<LightSettings> {
  const own = lab.lightSettings(text);
  const saved = lab.lightSettings((await readSchedule(light)) ?? "");
  const isNew = saved.timezone === "" || (saved.timezone === FACTORY_ZONE && saved.wifi === "");
  return {
    wifi: saved.wifi || own.wifi,
    password: saved.wifi === "" ? own.password : saved.password,
    timezone: isNew ? own.timezone || saved.timezone : saved.timezone,
    timeServer: saved.timeServer || own.timeServer,
  };
}

interface FieldsProps {
  settings: LightSettings;
  /** Time zone of the schedule. */
  labZone: string;
  file: FileForLight | undefined;
  onChange: (settings: LightSettings) => void;
}

function SettingFields({ settings, labZone, file, onChange }: FieldsProps) {
  const [isPasswordShown, setPasswordShown] = useState(false);
  const [isTimeServerShown, setTimeServerShown] = useState(settings.timeServer !== "");
  const field = (name: keyof LightSettings) => ({
    value: settings[name],
    error: file?.problems.find(({ setting }) => setting === name)?.message,
    onChange: (event: { target: { value: string } }) => onChange({ ...settings, [name]: event.target.value }),
    autoCapitalize: "none",
    autoComplete: "off",
    spellCheck: false,
    required: false,
  });
  const { timezone } = settings;
  const timeServer = field("timeServer");
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-2 font-semibold">Settings on your light</legend>
      <TextField
        label="Wi-Fi network"
        hint="The light gets the time from the internet. It needs a 2.4 GHz network."
        {...field("wifi")}
      />
      <div className="grid gap-1">
        <TextField
          label="Wi-Fi password"
          type={isPasswordShown ? "text" : "password"}
          hint="The drive stores it in plain text. Leave it empty for an open network."
          {...field("password")}
          autoComplete="new-password"
        />
        <CheckboxField
          label="Show password"
          checked={isPasswordShown}
          onChange={(event) => setPasswordShown(event.target.checked)}
        />
      </div>
      <div className="grid justify-items-start gap-1">
        <TextField
          className="w-full"
          label="Time zone"
          hint="The times of your rules are in this time zone, such as America/Toronto."
          {...field("timezone")}
        />
        {labZone !== "" && labZone !== timezone && (
          <>
            <Notice kind="warning">
              The times of this schedule are in {labZone}. Your light is set to {timezone || "UTC"}.
            </Notice>
            <button
              type="button"
              className="text-link text-sm"
              onClick={() => onChange({ ...settings, timezone: labZone })}
            >
              Use {labZone}, as in your schedule
            </button>
          </>
        )}
      </div>
      <details
        open={isTimeServerShown || timeServer.error !== undefined}
        onToggle={(event) => setTimeServerShown(event.currentTarget.open)}
      >
        <summary className="text-link w-fit text-sm">Time server</summary>
        <TextField
          className="mt-3"
          label="Time server"
          hint="Only if your network blocks public time servers. Leave it empty otherwise."
          {...timeServer}
        />
      </details>
    </fieldset>
  );
}

/** Why the file can't be saved. */
function blocker({ problems, bytes, maxBytes }: FileForLight): string | undefined {
  if (bytes > maxBytes) {
    const [has, most] = [bytes, maxBytes].map((count) => count.toLocaleString("en-US"));
    return `Your schedule has ${has} bytes, and the light reads ${most} at most. Shorten it.`;
  }
  return problems.length > 0 ? "Correct the marked settings first." : undefined;
}

function Warning({ file }: { file: FileForLight }) {
  const reason = blocker(file);
  if (reason !== undefined) return <Notice kind="error">{reason}</Notice>;
  if (file.skipped === 0) return null;
  const lines = file.skipped === 1 ? "1 line has an error" : `${file.skipped} lines have errors`;
  return (
    <Notice kind="warning">
      {file.rules === 0
        ? `${lines}, and there is no valid rule, so your light will keep its last schedule.`
        : `${lines}. Your light will skip ${file.skipped === 1 ? "it" : "them"}.`}
    </Notice>
  );
}

import type { ComponentProps } from "react";
import { TextField } from "../../../shared/ui/field";
import type { SettingsVersion } from "./api";

interface Props extends ComponentProps<typeof TextField> {
  name: string;
  settings: SettingsVersion;
}

/** A text field, read-only if an environment variable sets the value. */
export function LockableField({ settings, hint, name, ...rest }: Props) {
  const variable = settings.locked[name];
  if (variable === undefined) return <TextField name={name} hint={hint} {...rest} />;
  return (
    <TextField
      name={name}
      readOnly
      hint={
        <>
          Set by the environment variable <code className="font-mono">{variable}</code>, so it can’t be changed here.
        </>
      }
      {...rest}
    />
  );
}

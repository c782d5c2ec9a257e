import { mergeInputs, type OtherVersion, type Values } from "./merge-edit";

interface Props {
  opened: Values;
  version: number;
  /** A conflict that is shown. */
  conflict: OtherVersion | undefined;
}

/** The hidden fields of a form whose edit is merged with what someone else saves meanwhile. */
export function MergeInputs({ opened, version, conflict }: Props) {
  return Object.entries(mergeInputs({ opened, version }, conflict)).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}

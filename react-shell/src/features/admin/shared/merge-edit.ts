import { fieldValue } from "../../../shared/form-result";

/** The values of a form by the names of its fields. */
export type Values = Record<string, string>;

/** What is edited as one. Its `names` have several entries only where half of each version would make no sense. */
export interface MergeField {
  label: string;
  names: readonly string[];
  text: (values: Values) => string;
}

/** A field in both versions. */
export interface Difference {
  label: string;
  mine: string;
  theirs: string;
}

/** Which version wins where both changed. */
export type Keep = "mine" | "theirs";

/** What a form sends to save an edit with optimistic concurrency. */
export interface Edit {
  opened: Values;
  mine: Values;
  version: number;
  /** The other version and the choice, once their conflict was shown. */
  theirs: Values | undefined;
  keep: Keep | undefined;
}

/** A version saved meanwhile. */
export interface OtherVersion {
  version: number;
  theirs: Values;
}

/** Fields that both changed, for the administrator to choose. */
export interface Conflict extends OtherVersion {
  differences: Difference[];
}

/** A saved edit. `saved` is undefined if nothing of it was left to save. */
interface Merged<Saved> {
  saved: Saved | undefined;
  /** The labels of the fields that keep the other administrator's change. */
  theirChanges: string[];
}

interface Target<Saved> {
  fields: readonly MergeField[];
  save: (values: Values, version: number) => Promise<Saved>;
  /** Undefined if the error is no edit conflict. */
  otherVersion: (error: unknown) => OtherVersion | undefined;
}

/** Saves of others in between, after which a save fails. */
const MAX_ATTEMPTS = 5;

/**
 * Saves an edit (optimistic concurrency). If someone else saved meanwhile, both are merged by field; only fields that
 * both changed are a conflict. Other errors are thrown.
 */
export async function saveMerged<Saved>(edit: Edit, target: Target<Saved>): Promise<Merged<Saved> | Conflict> {
  let { theirs, version, keep } = edit;
  for (let attempt = 1; ; attempt += 1) {
    const { values, differences, theirChanges } = merge(target.fields, edit, theirs ?? edit.opened, keep);
    if (theirs && differences.length > 0) return { version, theirs, differences };
    if (theirs && isSame(values, theirs)) return { saved: undefined, theirChanges };
    try {
      // oxlint-disable-next-line no-await-in-loop -- the next attempt merges what this one was answered with
      return { saved: await target.save(values, version), theirChanges };
    } catch (error) {
      const other = target.otherVersion(error);
      if (other === undefined || attempt === MAX_ATTEMPTS) throw error;
      ({ theirs, version } = other);
      keep = undefined;
    }
  }
}

/** Their values, with those that only this edit changed, and by `keep` those that both changed. */
function merge(fields: readonly MergeField[], { opened, mine }: Edit, theirs: Values, keep: Keep | undefined) {
  const values = { ...theirs };
  const [differences, theirChanges]: [Difference[], string[]] = [[], []];
  const typed = { ...opened, ...mine };
  for (const { label, names, text } of fields) {
    const differ = (a: Values, b: Values) => names.some((name) => a[name] !== b[name]);
    const isTheirChange = differ(theirs, opened) && differ(theirs, typed);
    const isMine = differ(typed, opened) && differ(typed, theirs);
    if (isMine && isTheirChange && keep === undefined) {
      differences.push({ label, mine: text(typed), theirs: text(theirs) });
    } else if (isMine && !(isTheirChange && keep === "theirs")) {
      for (const name of names) values[name] = typed[name] ?? "";
    } else if (isTheirChange) {
      theirChanges.push(label);
    }
  }
  return { values, differences, theirChanges };
}

function isSame(a: Values, b: Values): boolean {
  return Object.entries(a).every(([name, value]) => b[name] === value);
}

/** The edit that a form with [`MergeInputs`] contains. Browsers may send line breaks as CRLF. */
export function readEdit(form: FormData, fields: readonly MergeField[]): Edit {
  const sent = fields.flatMap(({ names }) => names).filter((name) => form.has(name));
  const keep = fieldValue(form, "keep");
  return {
    opened: readValues(form, "opened") ?? {},
    mine: Object.fromEntries(sent.map((name) => [name, fieldValue(form, name).replaceAll("\r\n", "\n")])),
    version: Number(fieldValue(form, "version")),
    theirs: readValues(form, "theirs"),
    keep: keep === "mine" || keep === "theirs" ? keep : undefined,
  };
}

function readValues(form: FormData, name: string): Values | undefined {
  const json = fieldValue(form, name);
  return json === "" ? undefined : (JSON.parse(json) as Values);
}

/** The hidden fields of an edit: the version that it is based on, and the one of a shown conflict. */
export function mergeInputs({ opened, version }: Pick<Edit, "opened" | "version">, conflict?: OtherVersion) {
  return {
    opened: JSON.stringify(opened),
    version: String(conflict?.version ?? version),
    ...(conflict && { theirs: JSON.stringify(conflict.theirs) }),
  };
}

/** What was saved, and what someone else saved meanwhile. */
export function savedMessage(message: string, { saved, theirChanges }: Merged<unknown>): string {
  if (saved === undefined) return "Their changes were kept.";
  if (theirChanges.length === 0) return message;
  return `${message} Someone else’s changes were kept: ${theirChanges.join(", ")}.`;
}

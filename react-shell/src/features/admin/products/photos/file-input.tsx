import type { Ref } from "react";

interface Props {
  ref: Ref<HTMLInputElement>;
  isMultiple?: true;
  onChosen: (files: File[]) => void;
}

/** An invisible file input, opened by a button. */
export function FileInput({ ref, isMultiple, onChosen }: Props) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      accept="image/jpeg,image/png,image/webp"
      multiple={isMultiple ?? false}
      data-testid={isMultiple ? "add-photos" : "replace-photo"}
      onChange={({ target }) => {
        onChosen([...(target.files ?? [])]);
        // The same file can be chosen again.
        target.value = "";
      }}
    />
  );
}

import type { ComponentProps, MouseEvent } from "react";
import { buttonClass, type ButtonVariant } from "./button-class";

interface Props extends ComponentProps<"button"> {
  variant?: ButtonVariant;
}

/** A button. When disabled it refuses to act but stays focusable: browsers take the focus from a disabled element. */
export function Button({ variant = "secondary", type = "button", className = "", disabled, onClick, ...rest }: Props) {
  function click(event: MouseEvent<HTMLButtonElement>) {
    if (disabled) event.preventDefault();
    else onClick?.(event);
  }

  return (
    <button
      // oxlint-disable-next-line react/button-has-type -- the default above is "button"
      type={type}
      className={`${buttonClass(variant)} ${className}`}
      aria-disabled={disabled}
      onClick={click}
      {...rest}
    />
  );
}

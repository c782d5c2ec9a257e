import { useState, type ComponentProps, type MouseEvent } from "react";
import { buttonClass, type ButtonVariant } from "./button-class";

interface Props extends Omit<ComponentProps<"button">, "onFocus" | "onBlur"> {
  variant?: ButtonVariant;
}

/** A button. Browsers take the focus from a disabled element, so a focused one only refuses to act (`aria-disabled`). */
export function Button({ variant = "secondary", type = "button", className = "", disabled, onClick, ...rest }: Props) {
  const [isFocused, setFocused] = useState(false);

  function click(event: MouseEvent<HTMLButtonElement>) {
    if (disabled) event.preventDefault();
    else onClick?.(event);
  }

  return (
    <button
      // oxlint-disable-next-line react/button-has-type -- the default above is "button"
      type={type}
      className={`${buttonClass(variant)} ${className}`}
      disabled={disabled && !isFocused}
      aria-disabled={disabled && isFocused}
      onClick={click}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      {...rest}
    />
  );
}

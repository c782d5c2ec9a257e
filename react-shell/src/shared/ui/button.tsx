import { useEffect, useImperativeHandle, useLayoutEffect, useRef, type ComponentProps } from "react";
import { isFocusLost } from "../focus";
import { buttonClass, type ButtonVariant } from "./button-class";

interface Props extends ComponentProps<"button"> {
  variant?: ButtonVariant;
}

export function Button({ variant = "secondary", type = "button", className = "", ref, ...rest }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => button.current);
  useFocusReturn(button, rest.disabled ?? false);
  // oxlint-disable-next-line react/button-has-type -- the default above is "button"
  return <button ref={button} type={type} className={`${buttonClass(variant)} ${className}`} {...rest} />;
}

/** Returns the focus to a button that lost it while disabled, unless the focus has moved elsewhere since. */
function useFocusReturn(button: React.RefObject<HTMLButtonElement | null>, isDisabled: boolean): void {
  const hadFocus = useRef(false);
  // A layout effect runs before the browser removes the focus.
  useLayoutEffect(() => {
    if (isDisabled) hadFocus.current = document.activeElement === button.current;
  }, [button, isDisabled]);
  useEffect(() => {
    if (isDisabled || !hadFocus.current) return;
    hadFocus.current = false;
    if (isFocusLost()) button.current?.focus({ preventScroll: true });
  }, [button, isDisabled]);
}

import { useEffect, useImperativeHandle, useLayoutEffect, useRef, type ComponentProps } from "react";
import { isFocusLost } from "../focus";
import { buttonClass, type ButtonLook } from "./button-class";

interface Props extends ComponentProps<"button"> {
  look?: ButtonLook;
}

export function Button({ look = "secondary", type = "button", className = "", ref, ...rest }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => button.current);
  useFocusBack(button, rest.disabled ?? false);
  // oxlint-disable-next-line react/button-has-type -- the type is one of the three, given above
  return <button ref={button} type={type} className={`${buttonClass(look)} ${className}`} {...rest} />;
}

/** A button is disabled while it sends, and browsers take the focus from it: it gets it back, unless somebody went on. */
function useFocusBack(button: React.RefObject<HTMLButtonElement | null>, isDisabled: boolean): void {
  const hadFocus = useRef(false);
  // Before the browser takes it.
  useLayoutEffect(() => {
    if (isDisabled) hadFocus.current = document.activeElement === button.current;
  }, [button, isDisabled]);
  useEffect(() => {
    if (isDisabled || !hadFocus.current) return;
    hadFocus.current = false;
    if (isFocusLost()) button.current?.focus({ preventScroll: true });
  }, [button, isDisabled]);
}

import type { ComponentProps } from "react";
import { buttonClass, type ButtonLook } from "./button-class";

interface Props extends ComponentProps<"button"> {
  look?: ButtonLook;
}

export function Button({ look = "secondary", type = "button", className = "", ...rest }: Props) {
  // oxlint-disable-next-line react/button-has-type -- the type is one of the three, given above
  return <button type={type} className={`${buttonClass(look)} ${className}`} {...rest} />;
}

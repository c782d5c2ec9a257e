import { useEffect, useRef, useState } from "react";
import { LOGIN_WARNING_MS } from "../../shared/timings";
import { paths } from "../../shared/paths";
import { saveReturnPath } from "../../shared/return-path";
import { scrollToElement } from "../../shared/scroll";
import { useHold } from "../../shared/use-hold";
import { ShopLink } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";

/** Asks visitors to log in, for five seconds. Both links return to the checkout afterward. */
export function LoginWarning() {
  const [isOver, setOver] = useState(false);
  const { isHeld, holdProps } = useHold();
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => setOver(true), LOGIN_WARNING_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);

  // On a phone the button may be at the bottom of the screen.
  const warning = useRef<HTMLDivElement>(null);
  useEffect(() => {
    scrollToElement(warning.current, { block: "nearest" });
  }, []);

  if (isOver) return null;
  return (
    <div ref={warning} className="scroll-mb-4" {...holdProps}>
      <Notice kind="warning">
        Please <AuthLink to={paths.login}>log in</AuthLink> or{" "}
        <AuthLink to={paths.register}>create an account</AuthLink> to check out. Your cart will be waiting.
      </Notice>
    </div>
  );
}

function AuthLink({ to, children }: { to: string; children: string }) {
  return (
    <ShopLink to={to} className="text-link" onClick={() => saveReturnPath(paths.checkout)}>
      {children}
    </ShopLink>
  );
}

import { useEffect, useState } from "react";
import { LOGIN_WARNING_MS } from "../../shared/delays";
import { paths } from "../../shared/paths";
import { rememberReturnPath } from "../../shared/return-path";
import { ShopLink, TEXT_LINK } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";

/** Asks visitors to log in, for five seconds. Both ways in lead back to the checkout. */
export function LoginWarning() {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), LOGIN_WARNING_MS);
    return () => clearTimeout(timer);
  }, []);

  if (isOver) return null;
  return (
    <Notice kind="warn">
      Please <WayIn to={paths.login}>log in</WayIn> or <WayIn to={paths.register}>register</WayIn> to check out. Your
      cart stays as it is.
    </Notice>
  );
}

function WayIn({ to, children }: { to: string; children: string }) {
  return (
    <ShopLink to={to} className={TEXT_LINK} onClick={() => rememberReturnPath(paths.checkout)}>
      {children}
    </ShopLink>
  );
}

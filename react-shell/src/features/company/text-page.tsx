import { useRootData } from "../../shared/root-data";
import { TextPage, type Text } from "../../shared/rust-pages";
import { PageHead } from "../../shared/ui/page";

const CHECKED_BY = {
  recaptcha: "Google’s reCAPTCHA",
  turnstile: "Cloudflare’s Turnstile",
  pow: null,
  off: null,
} as const;

/** A page of text: the words are in the view. */
export function textPage(text: Text, title: (shopName: string) => string) {
  return function Component() {
    const { shopName, supportEmail, analytics, botCheck, firmware } = useRootData().config;
    return (
      <>
        <PageHead title={title(shopName)} />
        <TextPage
          text={text}
          shopName={shopName}
          supportEmail={supportEmail}
          captchaProvider={CHECKED_BY[botCheck.kind]}
          analyticsHost={analytics.url === null ? null : new URL(analytics.url).host}
          firmware={firmware}
        />
      </>
    );
  };
}

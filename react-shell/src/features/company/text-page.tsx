import { useRootData } from "../../shared/root-data";
import { TextPage, type Text } from "../../shared/rust-pages";
import { PageHead } from "../../shared/ui/page";

const CAPTCHA_PROVIDERS = {
  recaptcha: "Google’s reCAPTCHA",
  turnstile: "Cloudflare’s Turnstile",
  pow: null,
  off: null,
} as const;

/** Creates a text page. The Leptos view contains the text. */
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
          captchaProvider={CAPTCHA_PROVIDERS[botCheck.kind]}
          analyticsHost={analytics.url === null ? null : new URL(analytics.url).host}
          firmware={firmware}
        />
      </>
    );
  };
}

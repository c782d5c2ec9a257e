import { useRootData } from "../../shared/root-data";
import { Prose } from "./prose";
import { SupportLink } from "./support-link";

const CHECKED_BY = { recaptcha: "Google’s reCAPTCHA", turnstile: "Cloudflare’s Turnstile", pow: null, off: null };

export function Component() {
  const { analytics, botCheck } = useRootData().config;
  const checkedBy = CHECKED_BY[botCheck.kind];
  return (
    <Prose title="Privacy">
      <p>We keep what we need to send you a light, and nothing else.</p>
      <h2>What we keep</h2>
      <ul>
        <li>Your email, and your password in a form that can’t be turned back.</li>
        <li>Your orders: what you bought, where it went, what it cost.</li>
        <li>Which pages are looked at, counted without cookies and without your name.</li>
      </ul>
      <h2>What stays in your browser</h2>
      <p>Your cart, your log-in and the colors you chose. Logging out removes the log-in.</p>
      <h2>Who else sees something</h2>
      <p>The payment provider sees your card; we never do. The carrier sees the address on the parcel.</p>
      {checkedBy !== null && (
        <p>
          When you register or log in, {checkedBy} checks that you are no robot. It sees your browser and your address
          on the network.
        </p>
      )}
      {analytics.url !== null && (
        <p>Views of public pages are counted by the server at {new URL(analytics.url).host}, which sees the same.</p>
      )}
      <h2>Your choice</h2>
      <p>
        Write to <SupportLink /> to see what we keep about you, to have it corrected, or to have it removed.
      </p>
    </Prose>
  );
}

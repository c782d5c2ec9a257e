import { requestLoginCode } from "./api";
import { withDeviceToken } from "./device-token";
import { saveLoginToken, withLoginToken } from "./login-token";
import { saveCodeSentTo, savePendingEmail } from "./pending-email";

/** Emails a code that logs in this browser, and returns the message for the customer. */
export async function sendLoginCode(username: string, recaptchaToken: string): Promise<string> {
  const body = withDeviceToken(withLoginToken({ username, recaptchaToken }));
  const { message, login_token: token } = await requestLoginCode(body);
  saveLoginToken(token);
  savePendingEmail(username);
  saveCodeSentTo(username);
  return message;
}

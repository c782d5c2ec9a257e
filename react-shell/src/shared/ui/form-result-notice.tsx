import { fieldErrorsOf, type FormResult } from "../form-result";
import { ShopLink } from "./link";
import { Notice } from "./notice";

/** The result of a form. A message that a field already shows is not repeated. */
export function FormResultNotice({ result }: { result: FormResult | undefined }) {
  if (result === undefined || Object.values(fieldErrorsOf(result) ?? {}).includes(result.message)) return null;
  if (result.kind === "succeeded") return <Notice kind="success">{result.message}</Notice>;
  const { message, link } = result;
  return (
    <>
      <Notice kind="error">{message}</Notice>
      {link && (
        <p>
          <ShopLink to={link.to} className="text-link">
            {link.label}
          </ShopLink>
        </p>
      )}
    </>
  );
}

import { useState } from "react";
import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { serverMessage } from "../../shared/api-client";
import { paths } from "../../shared/paths";
import { Button } from "../../shared/ui/button";
import { buttonClass } from "../../shared/ui/button-class";
import { ShopLink } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import { Card, Page } from "../../shared/ui/page";
import { cancelBackInStockEmail, confirmBackInStockEmail } from "./api";

type Confirmed = { token: string; name: string; slug: string } | { failure: string };

/** Confirms the address by the link in its email. A mail scanner that only fetches the link confirms nothing. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Confirmed> {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  try {
    const { product_name: name, product_slug: slug } = await confirmBackInStockEmail(token);
    return { token, name, slug };
  } catch (error) {
    return { failure: serverMessage(error, "Your address couldn’t be confirmed. Please try again.") };
  }
}

export function Component() {
  const confirmed = useLoaderData<Confirmed>();
  return (
    <Page title="Back in Stock" width="form">
      <Card className="space-y-4">
        {"failure" in confirmed ? <Notice kind="error">{confirmed.failure}</Notice> : <Confirmation {...confirmed} />}
        <ShopLink to={paths.products} className={buttonClass("primary")}>
          Continue Shopping
        </ShopLink>
      </Card>
    </Page>
  );
}

function Confirmation({ token, name, slug }: { token: string; name: string; slug: string }) {
  const [message, setMessage] = useState<string>();

  async function cancel(): Promise<void> {
    try {
      await cancelBackInStockEmail(token);
      setMessage("Canceled. We’ve deleted your address.");
    } catch (error) {
      setMessage(serverMessage(error, "This couldn’t be canceled. Please try again."));
    }
  }

  return (
    <>
      <Notice kind="success">
        {message ?? (
          <>
            You’re on the list. We’ll email you once when{" "}
            <ShopLink to={paths.product(slug)} className="text-link">
              {name}
            </ShopLink>{" "}
            is back.
          </>
        )}
      </Notice>
      {message === undefined && <Button onClick={() => void cancel()}>Cancel Email</Button>}
    </>
  );
}

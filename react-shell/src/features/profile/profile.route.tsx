import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { requireSignedIn } from "../../shared/signed-in";
import { Card } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { findUser } from "./api";

export async function loader({ request }: LoaderFunctionArgs): Promise<string> {
  requireSignedIn(request);
  const { data } = await findUser();
  return data.UserAttributes.find((attribute) => attribute.Name === "email")?.Value ?? "";
}

export function Component() {
  const email = useLoaderData<string>();
  return (
    <Card className="max-w-2xl">
      <h2 className="mb-4 text-xl">Profile</h2>
      <dl>
        <dt className="text-muted">Email</dt>
        <dd className="break-words">{email}</dd>
      </dl>
    </Card>
  );
}

export function ErrorBoundary() {
  return <RouteError message="Your profile could not be loaded. Please try again later." />;
}

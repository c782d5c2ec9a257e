import type { RequestBody, ResponseBody } from "../../shared/api-types";
import { authorizedRequest } from "../../shared/auth-guard";

type IntentResponse = ResponseBody<"/api/payments/create-intent", "post">;

export const createIntent = (body: RequestBody<"/api/payments/create-intent">) =>
  authorizedRequest<IntentResponse>("POST", "/api/payments/create-intent", { body });
export const createOrder = (paymentIntentId: string) =>
  authorizedRequest<ResponseBody<"/api/orders", "post">>("POST", "/api/orders", { body: { paymentIntentId } });

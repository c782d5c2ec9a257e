import type { Answer, Body } from "../../shared/api-types";
import { requestSignedIn } from "../../shared/signed-in";

export type IntentAnswer = Answer<"/api/payments/create-intent", "post">;

export const createIntent = (body: Body<"/api/payments/create-intent">) =>
  requestSignedIn<IntentAnswer>("POST", "/api/payments/create-intent", { body });
export const createOrder = (paymentIntentId: string) =>
  requestSignedIn<Answer<"/api/orders", "post">>("POST", "/api/orders", { body: { paymentIntentId } });

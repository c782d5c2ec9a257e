import type { Answer } from "../../shared/api-types";
import { requestSignedIn } from "../../shared/signed-in";

export const findOrder = (id: string) =>
  requestSignedIn<Answer<"/api/orders/{id}">>("GET", `/api/orders/${encodeURIComponent(id)}`);

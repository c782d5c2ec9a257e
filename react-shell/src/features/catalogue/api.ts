import { request } from "../../shared/api-client";
import type { Answer } from "../../shared/api-types";

export const listProducts = () => request<Answer<"/api/products">>("GET", "/api/products");
export const findProduct = (name: string) =>
  request<Answer<"/api/products/{id}">>("GET", `/api/products/${encodeURIComponent(name)}`);

import { request } from "../../shared/api-client";
import type { ResponseBody } from "../../shared/api-types";

export const listProducts = () => request<ResponseBody<"/api/products">>("GET", "/api/products");
export const findProduct = (name: string) =>
  request<ResponseBody<"/api/products/{id}">>("GET", `/api/products/${encodeURIComponent(name)}`);

import { request } from "../../shared/api-client";
import type { ResponseBody } from "../../shared/api-types";
import type { Product, ProductList } from "../../shared/rules";

export const requestBackInStockEmail = (productId: string, email: string, recaptchaToken: string) =>
  request<ResponseBody<"/api/products/{id}/back-in-stock", "post">>(
    "POST",
    `/api/products/${productId}/back-in-stock`,
    {
      body: { email, recaptchaToken },
    },
  );
export const confirmBackInStockEmail = (token: string) =>
  request<ResponseBody<"/api/back-in-stock/confirm", "post">>("POST", "/api/back-in-stock/confirm", {
    body: { token },
  });
export const cancelBackInStockEmail = (token: string) =>
  request<undefined>("POST", "/api/back-in-stock/cancel", { body: { token } });
export const listRelatedProducts = (name: string) =>
  request<Product[]>("GET", `/api/products/${encodeURIComponent(name)}/related`);

/** The page of the product list that a URL's query string selects. */
export const findProductList = (search: string) => request<ProductList>("GET", `/api/product-list${search}`);
export const findProduct = (name: string) =>
  request<ResponseBody<"/api/products/{id}">>("GET", `/api/products/${encodeURIComponent(name)}`);

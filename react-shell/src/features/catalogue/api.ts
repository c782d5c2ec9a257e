import { request } from "../../shared/api-client";
import type { Product } from "../../shared/rules";

export const listProducts = () => request<Product[]>("GET", "/api/products");
export const findProduct = (name: string) => request<Product>("GET", `/api/products/${encodeURIComponent(name)}`);

import type { RequestBody, ResponseBody, Schema } from "../../../../shared/api-types";
import { authorizedRequest, authorizedUpload } from "../../../../shared/auth-guard";
import type { UploadOptions } from "../../../../shared/upload-file";

export type Photo = Schema<"Photo">;
export type PhotoList = RequestBody<"/api/products/{id}/photos", "patch">;

type Product = ResponseBody<"/api/products/{id}">;

const product = (id: string) => `/api/products/${encodeURIComponent(id)}`;

export const findProduct = (id: string) => authorizedRequest<Product>("GET", product(id));
export const updatePhotos = (id: string, body: PhotoList) =>
  authorizedRequest<Product>("PATCH", `${product(id)}/photos`, { body });
/** With `replaces`, the file takes the place of that photo. */
export const addPhoto = (id: string, file: File, replaces: string | undefined, options: Omit<UploadOptions, "token">) =>
  authorizedUpload<Photo>(
    `${product(id)}/photos${replaces === undefined ? "" : `?${new URLSearchParams({ replaces })}`}`,
    file,
    options,
  );

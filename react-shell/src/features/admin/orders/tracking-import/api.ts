import type { RequestBody, ResponseBody, Schema } from "../../../../shared/api-types";
import { authorizedRequest, authorizedUpload } from "../../../../shared/auth-guard";

export type TrackingImport = ResponseBody<"/api/admin/tracking-import/preview", "post">;
export type TrackingRow = Schema<"TrackingRow">;
export type TrackingResult = Schema<"TrackingResult">;
type TrackingBatch = RequestBody<"/api/admin/tracking-import">;
export type Shipment = TrackingBatch["shipments"][number];

/** Positions of the columns, from 1; those that are unknown are recognized by their names. */
export interface Columns {
  order_column?: number | undefined;
  tracking_column?: number | undefined;
}

export function previewTrackingImport(file: File, columns: Columns): Promise<TrackingImport> {
  const query = new URLSearchParams();
  for (const [name, position] of Object.entries(columns)) if (position !== undefined) query.set(name, String(position));
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  return authorizedUpload<TrackingImport>(`/api/admin/tracking-import/preview?${query}`, file, options);
}

export const applyTrackingImport = (body: TrackingBatch) =>
  authorizedRequest<ResponseBody<"/api/admin/tracking-import", "post">>("POST", "/api/admin/tracking-import", { body });

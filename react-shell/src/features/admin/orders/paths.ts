export const orderPaths = {
  packingSlips: (filter: URLSearchParams) => `/admin/packing-slips?${filter}`,
  orderBalance: (id: string) => `/admin/order/${encodeURIComponent(id)}/balance`,
} as const;

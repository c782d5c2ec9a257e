export const customerPaths = {
  customer: (id: string) => `/admin/customers/${encodeURIComponent(id)}`,
} as const;

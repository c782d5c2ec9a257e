import { paths } from "../../../shared/paths";

/** Paths within the admin area that no other page links to: customers don't load them. */
export const adminPaths = {
  productsWith: (filter: Record<string, string>) => `${paths.adminProducts}?${new URLSearchParams(filter)}`,
  stock: (productId: string) => `${paths.adminProducts}/${encodeURIComponent(productId)}/stock`,
  customers: "/admin/customers",
  customersWith: (filter: Record<string, string>) => `/admin/customers?${new URLSearchParams(filter)}`,
  customer: (id: string) => `/admin/customers/${encodeURIComponent(id)}`,
  money: "/admin/money",
  payout: (id: string) => `/admin/money/${encodeURIComponent(id)}`,
  orderBalance: (id: string) => `${paths.adminOrder(id)}/balance`,
} as const;

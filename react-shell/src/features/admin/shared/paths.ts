/** Paths that several areas of the admin area link to. Customers do not load them. */
export const adminPaths = {
  overview: "/admin/overview",
  orders: "/admin/orders",
  ordersWith: (filter: Record<string, string>) => `/admin/orders?${new URLSearchParams(filter)}`,
  trackingImport: "/admin/tracking-import",
  products: "/admin/products",
  settings: "/admin/settings",
  health: "/admin/health",
  taxes: "/admin/taxes",
  order: (id: string) => `/admin/order/${encodeURIComponent(id)}`,
  productsWith: (filter: Record<string, string>) => `/admin/products?${new URLSearchParams(filter)}`,
  stock: (productId: string) => `/admin/products/${encodeURIComponent(productId)}/stock`,
  customers: "/admin/customers",
  customersWith: (filter: Record<string, string>) => `/admin/customers?${new URLSearchParams(filter)}`,
  money: "/admin/money",
} as const;

/** The filter of the orders to pack: those that wait longest come first. */
export const ORDERS_TO_PACK = { status: "pending", held: "false", sort: "oldest" } as const;
export const ORDERS_TO_SHIP = { status: "processing", held: "false" } as const;
export const ORDERS_ON_HOLD = { held: "true" } as const;

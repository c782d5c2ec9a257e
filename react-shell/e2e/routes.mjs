/** The paths of all pages, by who may see them. */
export const PUBLIC = [
  "/",
  "/about",
  "/products",
  "/products/nudgelight-one",
  "/products/nothing-of-that-name",
  "/cart",
  "/register",
  "/login",
  "/login/code",
  "/second-factor",
  "/undo-email-change",
  "/login/code?email=ada@example.com",
  "/confirm-email",
  "/forgot-password",
  "/confirm-forgot-password?email=ada@example.com",
  "/tutorial",
  "/schedule-lab",
  "/schedules",
  "/schedules/trash-night",
  "/schedules/nothing-of-that-name",
  "/contact",
  "/privacy",
  "/terms",
  "/shipping-and-returns",
  "/nothing-of-that-name",
];

/** Pages of a customer with this order. @param {string} order */
export const customerPaths = (order) => [
  "/profile",
  "/profile/orders",
  "/profile/settings",
  "/checkout",
  `/checkout/success?order_id=${order}`,
  "/checkout/success",
  `/order/${order}`,
];

/** Pages of an administrator. @param {string} order */
export const adminPaths = (order) => [
  "/admin/overview",
  "/admin/orders",
  "/admin/packing-slips?numbers=1001",
  "/admin/tracking-import",
  "/admin/products",
  "/admin/money",
  "/admin/customers",
  "/admin/settings",
  "/admin/health",
  "/admin/taxes",
  `/admin/order/${order}`,
];

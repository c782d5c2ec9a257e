/** Timeouts and delays of the user interface, in milliseconds. */
export const REDIRECT_AFTER_SUCCESS_MS = 1_250;
export const REFRESH_BEFORE_EXPIRY_MS = 60_000;
export const RESEND_ENABLED_AFTER_MS = 5_000;
/** A minute less than the shop accepts the response to a request for a passkey. */
export const PASSKEY_REQUEST_MS = 240_000;
export const LOGIN_WARNING_MS = 5_000;
export const FORBIDDEN_ORDER_REDIRECT_MS = 3_000;
/** Between two requests for the number of orders, while the order list is open. */
export const NEW_ORDERS_POLL_MS = 60_000;
/** Between a live region and its text: time for assistive technology to find the region. */
export const ANNOUNCEMENT_DELAY_MS = 100;

/** Timeouts and delays of the user interface, in milliseconds. */
export const REDIRECT_AFTER_SUCCESS_MS = 1_250;
export const REFRESH_BEFORE_EXPIRY_MS = 60_000;
export const RESEND_ENABLED_AFTER_MS = 5_000;
export const LOGIN_WARNING_MS = 5_000;
export const FORBIDDEN_ORDER_REDIRECT_MS = 3_000;

export const moneyPaths = {
  payout: (id: string) => `/admin/money/${encodeURIComponent(id)}`,
} as const;

import { formatDate } from "../../../shared/rules";

/** A day without a time, such as `2026-12-24`. */
export const formatDay = (day: string) => formatDate(`${day}T00:00:00Z`);

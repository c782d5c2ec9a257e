"use client";

import { answers } from "../answers.mjs";

export default function Page() {
  return <pre>{answers}</pre>;
}

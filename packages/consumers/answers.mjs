// What every consumer runs: each case through the installed package. The text has no character that HTML or a console
// could change.
import * as index from "@nudgelight/core";
import * as schedule from "@nudgelight/core/schedule";
import * as tax from "@nudgelight/core/tax";
import { answered } from "./answered.mjs";
import cases from "./cases.mjs";

export const answers = answered({ index, schedule, tax }, cases);

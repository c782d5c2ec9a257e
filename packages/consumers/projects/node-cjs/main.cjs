const index = require("@nudgelight/core");
const schedule = require("@nudgelight/core/schedule");
const tax = require("@nudgelight/core/tax");
const cases = require("./cases.json");

void import("./answered.mjs").then(({ answered }) => console.log(answered({ index, schedule, tax }, cases)));

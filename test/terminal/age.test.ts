import { expect, it } from "vitest";
import { ageOf } from "../../src/terminal/age.js";

const now = new Date("2026-05-01T12:00:00Z");

it.each([
  ["2026-05-01T12:00:00Z", "0 seconds"],
  ["2026-05-01T11:59:59Z", "1 second"],
  ["2026-05-01T11:15:00Z", "45 minutes"],
  ["2026-05-01T14:00:00+04:00", "2 hours"],
  ["2026-04-30T13:00:00Z", "23 hours"],
  ["2026-04-28T11:00:00Z", "3 days"],
  ["2026-04-10T11:00:00Z", "3 weeks"],
  ["2026-01-01T00:00:00Z", "3 months"],
  ["2020-01-01T00:00:00Z", "6 years"],
  ["2026-05-01T12:04:00Z", "0 seconds"],
  ["2026-05-01T13:00:00Z", "unknown"],
  ["yesterday", "unknown"],
])("%s is %s old", (written, age) => {
  expect(ageOf(written, now)).toBe(age);
});

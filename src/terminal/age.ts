import { writtenTime } from "../document/time.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How long ago, in one unit as git says it (`3 days`); `unknown` when unreadable or in the future.
 * @param written ISO 8601.
 */
export function ageOf(written: string, now: Date): string {
  const time = writtenTime(written);
  const passed = time === null ? Number.NaN : now.getTime() - time;
  // Clocks of two machines differ by a little: that is no future.
  if (Number.isNaN(passed) || passed < -5 * MINUTE) return "unknown";
  const [count, unit] =
    passed < 2 * MINUTE
      ? [Math.max(0, Math.floor(passed / 1000)), "second"]
      : passed < 2 * HOUR
        ? [Math.floor(passed / MINUTE), "minute"]
        : passed < 2 * DAY
          ? [Math.floor(passed / HOUR), "hour"]
          : passed < 14 * DAY
            ? [Math.floor(passed / DAY), "day"]
            : passed < 70 * DAY
              ? [Math.floor(passed / (7 * DAY)), "week"]
              : passed < 730 * DAY
                ? [Math.floor(passed / (30.44 * DAY)), "month"]
                : [Math.floor(passed / (365.25 * DAY)), "year"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

// Numbers and times as people read them.

const PREFIXES = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

/** Three digits, or as many as asked for, and a prefix: 12300 "N" is "12.3 kN". */
export function quantity(value, unit, count = 3) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return `0 ${unit}`.trim();
  const size = Math.abs(value);
  const fits = ["N", "J", "Pa", "kg", "N s", "m"].includes(unit);
  if (!fits) return `${digits(value, count)} ${unit}`.trim();
  // A thousand kilograms are a tonne, and there are no microkilograms.
  if (unit === "kg" && size >= 1e3) return quantity(value / 1e3, "t", count);
  if (unit === "kg") return `${digits(value, count)} kg`;
  const smallest = unit === "m" ? 1e-3 : 1e-9, largest = unit === "m" ? 1e3 : 1e12;
  const [factor, prefix] = PREFIXES.find(([factor]) => factor <= largest && (size >= factor || factor <= smallest));
  return `${digits(value / factor, count)} ${prefix}${unit}`;
}

/** The first digits that count. */
export function digits(value, count = 3) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  // Rounding of the model, not a number to look at.
  if (size < 1e-9) return "0";
  if (size < 1e-3 || size >= 1e6) return value.toExponential(count - 1).replace("e+", "e").replace("-", "−").replace("e-", "e−");
  return String(Number(value.toPrecision(count))).replace("-", "−");
}

/** An area in the unit that suits it. */
export function area(value) {
  return value >= 1e5 ? `${digits(value / 1e6)} km²` : `${digits(value)} m²`;
}

const two = number => String(Math.floor(number)).padStart(2, "0");

/** Simulated time since the start. */
export function duration(seconds) {
  if (seconds < 60) return `${digits(seconds)} s`;
  const days = Math.floor(seconds / 86400), rest = seconds - 86400 * days;
  const clock = `${two(rest / 3600)}:${two((rest % 3600) / 60)}:${two(rest % 60)}`;
  return days > 0 ? `${days} d ${clock}` : clock;
}

/** A rate or a short time in the unit that suits it. */
export function span(seconds) {
  if (seconds < 60) return `${digits(seconds)} s`;
  if (seconds < 3600) return `${digits(seconds / 60)} min`;
  if (seconds < 86400) return `${digits(seconds / 3600)} h`;
  return `${digits(seconds / 86400)} d`;
}

/** The date, where the scenario gives one; "2008-02-01 00:00:00" is time zero. */
export function date(start, seconds) {
  const zero = Date.parse(`${start.replace(" ", "T").replace(/Z$/, "")}Z`);
  if (Number.isNaN(zero)) return null;
  return new Date(zero + 1000 * seconds).toISOString().slice(0, 16).replace("T", " ");
}

/** 1, 2 or 5 times a power of ten, at most `value`. */
export function roundDown(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].find(step => step * power <= value * (1 + 1e-9)) * power;
}

/** Times people say, from a millisecond to years, in seconds. */
export function niceSpans() {
  const spans = [];
  for (const power of [1e-3, 1e-2, 1e-1]) spans.push(power, 2 * power, 5 * power);
  for (const unit of [1, 60]) for (const count of [1, 2, 5, 10, 20, 30]) spans.push(unit * count);
  for (const hours of [1, 2, 3, 6, 12]) spans.push(3600 * hours);
  for (const days of [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]) spans.push(86400 * days);
  return spans;
}

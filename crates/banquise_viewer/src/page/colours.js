// What floes can be coloured by, and with which colours.

// Control colours: viridis and magma (S. van der Walt and N. Smith, 2015, public domain), cividis (Nuñez et al., 2018), and our own.
export const MAPS = {
  viridis: [
    [68, 1, 84], [72, 40, 120], [62, 73, 137], [49, 104, 142], [38, 130, 142],
    [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37],
  ],
  cividis: [[0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115], [138, 134, 120], [165, 156, 116], [195, 179, 105], [225, 204, 85], [254, 232, 56]],
  magma: [[0, 0, 4], [28, 16, 68], [79, 18, 123], [129, 37, 129], [181, 54, 122], [229, 80, 100], [251, 135, 97], [254, 194, 135], [252, 253, 191]],
  diverging: [[26, 74, 138], [98, 152, 200], [238, 240, 241], [219, 137, 104], [158, 33, 48]],
  grey: [[36, 42, 48], [250, 252, 254]],
};
// A wheel for angles: the ends meet.
const WHEEL = [[84, 110, 190], [86, 170, 160], [196, 190, 90], [214, 120, 80], [170, 80, 140], [84, 110, 190]];
// For names: neighbours in number differ.
const NAMES = [[31, 111, 159], [209, 122, 44], [61, 143, 114], [168, 69, 106], [106, 104, 181], [139, 122, 63], [58, 167, 194], [120, 140, 150]];

const HOURS = 3600, DEGREES = 180 / Math.PI;

/** `of` gives the number of body i in a frame; `list` names its range over the whole run, to be multiplied by `factor`. Logarithmic scales span
 * three decades. Numbers below `least` are rounding of the model, and no scale is made of them. */
export const FIELDS = {
  speed: { label: "Speed", unit: "m/s", list: "speed", of: (frame, i) => Math.hypot(frame.velocity_x[i], frame.velocity_y[i]) },
  thickness: { label: "Thickness", unit: "m", isFixed: true, of: (frame, i, bodies) => bodies.thickness[i] },
  pressure: { label: "Stress (mean pressure)", unit: "Pa", list: "pressure", isLog: true, of: (frame, i) => Math.max(frame.pressure[i], 0) },
  force: { label: "Contact force (mean normal force)", unit: "N", list: "contact_force", isLog: true, of: (frame, i) => frame.contact_force[i] },
  rotation: { label: "Rotation", unit: "°/h", list: "angular_velocity", factor: DEGREES * HOURS, isSigned: true, map: "diverging", least: 1e-6, of: (frame, i) => frame.angular_velocity[i] * DEGREES * HOURS },
  heading: { label: "Heading", unit: "°", range: [-180, 180], wheel: true, of: (frame, i) => frame.heading[i] * DEGREES },
  direction: { label: "Direction of motion, from east", unit: "°", range: [-180, 180], wheel: true, of: (frame, i) => Math.atan2(frame.velocity_y[i], frame.velocity_x[i]) * DEGREES },
  size: { label: "Size (root of the area)", unit: "m", isFixed: true, of: (frame, i, bodies) => Math.sqrt(bodies.area[i]) },
  age: { label: "Age", unit: "h", of: (frame, i, bodies) => (frame.time - bodies.born[i]) / HOURS },
  generation: { label: "Generation", unit: "", isFixed: true, of: (frame, i, bodies) => bodies.generation[i] },
  family: { label: "Floe it is a piece of", unit: "", isName: true, of: (frame, i, bodies) => bodies.family[i] },
  id: { label: "Number", unit: "", isName: true, of: (frame, i) => i },
  none: { label: "Plain ice", unit: "", isPlain: true, of: () => 0 },
};

/** The name of the colour map of a field: the one that is chosen, or the field's own where none is. */
export function mapOf(field, chosen) {
  if (field.wheel || field.isName || field.isPlain) return null;
  return MAPS[chosen] ? chosen : field.map ?? "viridis";
}

/** 256 colours from control colours, as bytes. */
export function ramp(field, chosen) {
  const controls = field.wheel ? WHEEL : MAPS[mapOf(field, chosen)];
  const bytes = new Uint8Array(1024);
  for (let k = 0; k < 256; k++) {
    let color;
    if (field.isPlain) color = [250, 253, 255];
    else if (field.isName) color = NAMES[k % NAMES.length];
    else {
      const place = k / 255 * (controls.length - 1), index = Math.min(Math.floor(place), controls.length - 2);
      color = controls[index].map((c, j) => c + (place - index) * (controls[index + 1][j] - c));
    }
    bytes.set([...color.map(Math.round), 255], 4 * k);
  }
  return bytes;
}

/** Shares of the numbers below and above a robust range: one in a hundred. */
const TAIL = 0.01;

/** A largest number that is at most so many times the 99th percentile is no outlier: the scale ends there. */
const CLOSE = 1.25;

/** The range of numbers but for the largest hundredth; of numbers with a sign, but for the hundredth that is farthest from zero. */
function robustRange(numbers, isSigned) {
  if (numbers.length === 0) return [Infinity, -Infinity];
  const sizes = Float32Array.from(numbers, isSigned ? Math.abs : undefined).sort();
  const high = sizes[Math.ceil((1 - TAIL) * sizes.length) - 1];
  const top = sizes.at(-1) <= CLOSE * high ? sizes.at(-1) : high;
  return isSigned ? [-top, top] : [sizes[0], top];
}

/** What the colours span: the run but for the largest hundredth of its numbers, the whole run, one record, or two given numbers. */
export const RANGES = { robust: "99 %", all: "all", record: "record", given: "given" };

/** The numbers of a frame, and the range of each field: over the whole run, or what has been seen so far of one that goes on. */
export class Painter {
  constructor(run) {
    this.run = run;
    this.seen = new Map(); // ranges of the records that were shown
    this.known = new WeakMap();
    this.whole = new Map(); // ranges of the whole run
    this.isWhole = true;
    this.mode = "robust";
    this.given = [0, 1];
    this.frame = null;
  }

  /** Numbers as the graphics card gets them: logarithms where the scale is one. */
  values(name, frame) {
    const known = this.known.get(frame);
    if (known?.name === name) return known.out;
    const field = FIELDS[name], out = new Float32Array(frame.count), numbers = [];
    const bodies = this.run.bodiesAt(frame);
    let low = Infinity, high = -Infinity;
    for (let i = 0; i < frame.count; i++) {
      const value = field.isName ? field.of(frame, i, bodies) % 256 : field.of(frame, i, bodies);
      if (bodies.kind[i] === 0 && Number.isFinite(value) && !Number.isNaN(frame.x[i])) {
        if (value < low) low = value;
        if (value > high) high = value;
        if (!field.isLog || value > 0) numbers.push(value);
      }
      out[i] = field.isLog ? (value > 0 ? Math.log10(value) : -99) : value;
    }
    const robust = robustRange(numbers, field.isSigned);
    const seen = this.seen.get(name) ?? { all: [Infinity, -Infinity], robust: [Infinity, -Infinity] };
    const wider = ([a, b], [c, d]) => [Math.min(a, c), Math.max(b, d)];
    this.seen.set(name, { all: wider(seen.all, [low, high]), robust: wider(seen.robust, robust) });
    this.known.set(frame, { name, out, range: [low, high] });
    return out;
  }

  /** Takes over what the server knows of the whole run, of the given length in seconds. */
  settle(ranges, length) {
    this.isWhole = ranges.is_whole;
    for (const [name, { list, factor = 1, isSigned }] of Object.entries(FIELDS)) {
      if (!ranges[list]) continue;
      const [low, end, most] = ranges[list].map(value => value * factor);
      const largest = isSigned ? Math.max(-low, most) : most, top = largest <= CLOSE * end ? largest : end;
      this.whole.set(name, { all: [low, most], robust: [isSigned ? -top : low, top] });
    }
    const last = this.run.bodies.generation.reduce((most, own) => Math.max(most, own), 1);
    this.whole.set("generation", { all: [0, last], robust: [0, last] });
    this.whole.set("age", { all: [0, length / HOURS], robust: [0, length / HOURS] });
  }

  /** Whether some numbers may be beyond the upper end of the scale. */
  isOpen(name) {
    const field = FIELDS[name], known = this.whole.get(name) ?? this.seen.get(name);
    if (field.range || this.mode === "record" || !known) return false;
    const most = Math.max(known.all[1], field.isSigned ? -known.all[0] : -Infinity);
    return most > this.range(name)[1] * (1 + 1e-6) || (!this.isWhole && Boolean(field.list));
  }

  /** Ends of the scale, in the unit of the field. */
  range(name) {
    const field = FIELDS[name];
    if (field.range) return field.range;
    if (this.mode === "given") return this.givenRange(field);
    const own = this.mode === "record" && this.frame ? this.known.get(this.frame) : null;
    const known = this.whole.get(name) ?? this.seen.get(name);
    let [low, high] = (own?.name === name ? own.range : known?.[this.mode === "all" ? "all" : "robust"]) ?? [0, 1];
    if (!(low <= high)) return [0, 1];
    if (field.isLog) return high > 0 ? [high / 1e3, high] : [1e-3, 1];
    if (field.isSigned) { high = Math.max(Math.abs(low), Math.abs(high)); return high > (field.least ?? 0) ? [-high, high] : [-1, 1]; }
    if (!field.isFixed && !own) low = Math.min(low, 0);
    return low < high ? [low, high] : [low, low + (Math.abs(low) || 1)];
  }

  /** The two numbers that were given, as a scale can have them. */
  givenRange(field) {
    const [low, high] = this.given;
    if (!field.isLog) return low < high ? [low, high] : [low, low + 1];
    const top = high > 0 ? high : 1;
    return [low > 0 && low < top ? low : top / 1e3, top];
  }

  /** Ends of the scale for the graphics card: logarithms where the scale is one. */
  scale(name) {
    const field = FIELDS[name];
    if (field.isName) return [0, 255];
    const [low, high] = this.range(name);
    return field.isLog ? [Math.log10(low), Math.log10(high)] : [low, high];
  }
}

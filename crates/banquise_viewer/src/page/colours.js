// What floes can be coloured by, and with which colours.

// Control colours of viridis (S. van der Walt and N. Smith, 2015, public domain).
const VIRIDIS = [
  [68, 1, 84], [72, 40, 120], [62, 73, 137], [49, 104, 142], [38, 130, 142],
  [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37],
];
// A wheel for angles: the ends meet.
const WHEEL = [[84, 110, 190], [86, 170, 160], [196, 190, 90], [214, 120, 80], [170, 80, 140], [84, 110, 190]];
// For names: neighbours in number differ.
const NAMES = [[31, 111, 159], [209, 122, 44], [61, 143, 114], [168, 69, 106], [106, 104, 181], [139, 122, 63], [58, 167, 194], [120, 140, 150]];

const HOURS = 3600, DEGREES = 180 / Math.PI;

/** `of` gives the number of body i in a frame; `list` names its range over the whole run, to be multiplied by `factor`. Logarithmic scales span
 * three decades. */
export const FIELDS = {
  speed: { label: "Speed", unit: "m/s", list: "speed", of: (frame, i) => Math.hypot(frame.velocity_x[i], frame.velocity_y[i]) },
  thickness: { label: "Thickness", unit: "m", isFixed: true, of: (frame, i, bodies) => bodies.thickness[i] },
  pressure: { label: "Stress (mean pressure)", unit: "Pa", list: "pressure", isLog: true, of: (frame, i) => Math.max(frame.pressure[i], 0) },
  force: { label: "Impulse of contacts per time", unit: "N", list: "contact_force", isLog: true, of: (frame, i) => frame.contact_force[i] },
  rotation: { label: "Rotation", unit: "°/h", list: "angular_velocity", factor: DEGREES * HOURS, isSigned: true, of: (frame, i) => frame.angular_velocity[i] * DEGREES * HOURS },
  heading: { label: "Heading", unit: "°", range: [-180, 180], wheel: true, of: (frame, i) => frame.heading[i] * DEGREES },
  direction: { label: "Direction of motion, from east", unit: "°", range: [-180, 180], wheel: true, of: (frame, i) => Math.atan2(frame.velocity_y[i], frame.velocity_x[i]) * DEGREES },
  size: { label: "Size (root of the area)", unit: "m", isFixed: true, of: (frame, i, bodies) => Math.sqrt(bodies.area[i]) },
  age: { label: "Age", unit: "h", of: (frame, i, bodies) => (frame.time - bodies.born[i]) / HOURS },
  id: { label: "Number", unit: "", isName: true, of: (frame, i) => i },
  none: { label: "Plain ice", unit: "", isPlain: true, of: () => 0 },
};

/** 256 colours from control colours, as bytes. */
export function ramp(field) {
  const controls = field.wheel ? WHEEL : VIRIDIS;
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

/** The numbers of a frame, and the range of each field: over the whole run, or what has been seen so far of one that goes on. */
export class Painter {
  constructor(run) {
    this.run = run;
    this.ranges = new Map();
    this.known = new WeakMap();
    this.whole = new Map(); // ranges that do not change any more
    this.open = new Set(); // fields of which some numbers may be beyond them
    this.isStretched = false; // whether the colours span the numbers of one frame alone
    this.frame = null;
  }

  /** Numbers as the graphics card gets them: logarithms where the scale is one. */
  values(name, frame) {
    const known = this.known.get(frame);
    if (known?.name === name) return known.out;
    const field = FIELDS[name], out = new Float32Array(frame.count);
    const bodies = this.run.bodiesAt(frame);
    let low = Infinity, high = -Infinity;
    for (let i = 0; i < frame.count; i++) {
      const value = field.isName ? i % 256 : field.of(frame, i, bodies);
      if (bodies.kind[i] === 0 && Number.isFinite(value) && !Number.isNaN(frame.x[i])) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
      out[i] = field.isLog ? (value > 0 ? Math.log10(value) : -99) : value;
    }
    const seen = this.ranges.get(name) ?? [Infinity, -Infinity];
    this.ranges.set(name, [Math.min(seen[0], low), Math.max(seen[1], high)]);
    this.known.set(frame, { name, out, range: [low, high] });
    return out;
  }

  /** Takes over what the server knows of the whole run, of the given length in seconds. */
  settle(ranges, length) {
    for (const [name, { list, factor = 1 }] of Object.entries(FIELDS)) {
      if (!ranges[list]) continue;
      const [low, high, most] = ranges[list];
      this.whole.set(name, [low * factor, high * factor]);
      if (most > high || !ranges.is_whole) this.open.add(name);
    }
    this.whole.set("age", [0, length / HOURS]);
  }

  /** Ends of the scale, in the unit of the field. */
  range(name) {
    const field = FIELDS[name];
    if (field.range) return field.range;
    const own = this.isStretched && this.frame ? this.known.get(this.frame) : null;
    let [low, high] = (own?.name === name ? own.range : this.whole.get(name) ?? this.ranges.get(name)) ?? [0, 1];
    if (!(low <= high)) return [0, 1];
    if (field.isLog) return high > 0 ? [high / 1e3, high] : [1e-3, 1];
    if (field.isSigned) { high = Math.max(Math.abs(low), Math.abs(high)) || 1; return [-high, high]; }
    if (!field.isFixed && !own) low = Math.min(low, 0);
    return low < high ? [low, high] : [low, low + (Math.abs(low) || 1)];
  }

  /** The same for the graphics card. */
  scale(name) {
    const field = FIELDS[name];
    if (field.isName) return [0, 255];
    const [low, high] = this.range(name);
    return field.isLog ? [Math.log10(low), Math.log10(high)] : [low, high];
  }
}

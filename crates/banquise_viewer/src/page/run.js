// The run as the server tells it: what does not change, times, and frames as they are wanted.

const MAX_CACHE = 160e6; // bytes
const MOST_CUT = 4;      // tables of bodies after cuts that are kept: those of two frames are wanted at a time

/** Fetches a path; says in plain words where the server does not answer. */
async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    throw new Lost();
  }
}

/** The server does not answer any more. */
export class Lost extends Error {
  constructor() { super("The connection is lost: the command that serves this page has ended."); }
}

const BUSY = 503;

/** Asks again, later and later, while the server is busy. */
async function ask(path) {
  for (let wait = 250; ; wait *= 2) {
    const response = await reach(path);
    if (response.ok) return response;
    if (response.status !== BUSY || wait > 8000) throw new Error(`${path}: ${(await response.text()).trim()}`);
    await new Promise(done => setTimeout(done, wait)); // ms
  }
}

/** Reads lists of four-byte numbers one after the other. */
class Reader {
  constructor(buffer) { this.buffer = buffer; this.offset = 0; }
  take(kind, count) {
    const list = new kind(this.buffer, this.offset, count);
    this.offset += 4 * count;
    return list;
  }
}

function decodeBodies(buffer) {
  const reader = new Reader(buffer);
  const [count, versionCount, vertexCount, indexCount] = reader.take(Uint32Array, 4);
  return {
    count,
    kind: reader.take(Uint32Array, count),
    radius: reader.take(Float32Array, count),
    thickness: reader.take(Float32Array, count),
    area: reader.take(Float32Array, count),
    born: reader.take(Float32Array, count), // seconds
    generation: reader.take(Uint32Array, count),
    family: reader.take(Uint32Array, count), // the floe that it is a piece of in the end
    start: reader.take(Uint32Array, count), // of its triangles
    end: reader.take(Uint32Array, count),
    ringStart: reader.take(Uint32Array, count), // of its vertices
    ringEnd: reader.take(Uint32Array, count),
    versions: { // floes after cuts, in the order of time
      count: versionCount,
      body: reader.take(Uint32Array, versionCount),
      radius: reader.take(Float32Array, versionCount),
      area: reader.take(Float32Array, versionCount),
      start: reader.take(Uint32Array, versionCount),
      end: reader.take(Uint32Array, versionCount),
      ringStart: reader.take(Uint32Array, versionCount),
      ringEnd: reader.take(Uint32Array, versionCount),
    },
    vertices: reader.take(Float32Array, 2 * vertexCount),
    owners: reader.take(Uint32Array, vertexCount),
    triangles: reader.take(Uint32Array, indexCount),
  };
}

/** Bodies, and those born or cut since: lists one after the other, with places in lists moved by what comes before. */
function joinBodies(old, more) {
  const vertexCount = old.owners.length, indexCount = old.triangles.length;
  const shift = { start: indexCount, end: indexCount, ringStart: vertexCount, ringEnd: vertexCount, triangles: vertexCount };
  const joined = joinLists(old, more, shift);
  joined.versions = joinLists(old.versions, more.versions, shift);
  return joined;
}

function joinLists(old, more, shift) {
  const joined = { count: old.count + more.count };
  for (const [name, list] of Object.entries(old)) {
    if (name === "count" || name === "versions") continue;
    const both = new list.constructor(list.length + more[name].length);
    both.set(list);
    both.set(shift[name] ? more[name].map(place => place + shift[name]) : more[name], list.length);
    joined[name] = both;
  }
  return joined;
}

/** Bodies with the first so many versions of outlines; their vertices and triangles are in the same lists. */
function cutBodies(bodies, until) {
  const cut = { ...bodies }, { versions } = bodies;
  for (const name of ["radius", "area", "start", "end", "ringStart", "ringEnd"]) {
    const list = cut[name] = bodies[name].slice();
    for (let k = 0; k < until; k++) list[versions.body[k]] = versions[name][k];
  }
  return cut;
}

/** The query for a record. The generation says how records were counted when it was chosen. */
const queryOf = ({ record, generation }) => `record=${record}&generation=${generation}`;

function decodeFrame(buffer, place, lists) {
  const reader = new Reader(buffer);
  const [seconds, rest, windX, windY, waterX, waterY] = reader.take(Float32Array, 6);
  const [count, versions] = reader.take(Uint32Array, 2);
  const frame = { ...place, count, versions, time: seconds + rest, wind: [windX, windY], water: [waterX, waterY] };
  for (const name of lists) frame[name] = reader.take(Float32Array, count);
  return frame;
}

export class Run {
  static async open() {
    const run = new Run();
    run.scene = await (await ask("/api/scene")).json();
    run.bodies = decodeBodies(await (await ask("/api/bodies")).arrayBuffer());
    run.times = [];
    run.frames = new Map();
    run.waiting = new Map();
    run.state = { version: 0, generation: 0 };
    await run.refresh();
    return run;
  }

  /** Asks how the run stands; on a live one this waits for news. */
  async refresh() {
    const { version, generation } = this.state;
    const answer = await ask(`/api/state?version=${version}&generation=${generation}&known=${this.times.length}`);
    // A server that ends may do so in the middle of a word.
    const state = await answer.json().catch(() => { throw new Lost(); });
    if (state.generation !== generation) {
      this.times = [];
      this.frames.clear();
      this.waiting.clear();
      this.cracks = null;
    }
    this.times = this.times.concat(state.times);
    this.state = state;
    return state;
  }

  get last() { return this.times.length - 1; }

  /** The record at or before a time. */
  recordAt(time) {
    let low = 0, high = this.last;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time) low = middle; else high = middle - 1;
    }
    return low;
  }

  /** A record as it is counted now. */
  placeOf(record) { return { record, generation: this.state.generation }; }

  /** A frame that is here already. */
  held(record) { return this.frames.get(record); }

  /** A frame, fetched if need be. */
  fetch(record) {
    const held = this.frames.get(record);
    if (held) return Promise.resolve(held);
    if (!this.waiting.has(record)) {
      const place = this.placeOf(record);
      const fetched = ask(`/api/frame?${queryOf(place)}`)
        .then(response => response.arrayBuffer())
        .then(async buffer => {
          const frame = decodeFrame(buffer, place, this.scene.lists);
          await this.know(frame.count, frame.versions);
          if (place.generation === this.state.generation) this.keep(record, frame, buffer.byteLength);
          return frame;
        })
        .finally(() => { if (this.waiting.get(record) === fetched) this.waiting.delete(record); });
      this.waiting.set(record, fetched);
    }
    return this.waiting.get(record);
  }

  /** Asks for the bodies born and cut since, until so many bodies and versions of outlines are known. */
  async know(count, versions) {
    while (this.bodies.count < count || this.bodies.versions.count < versions) {
      this.growing ??= ask(`/api/bodies?from=${this.bodies.count}&versions=${this.bodies.versions.count}`)
        .then(response => response.arrayBuffer())
        .then(buffer => { this.bodies = joinBodies(this.bodies, decodeBodies(buffer)); })
        .finally(() => { this.growing = null; });
      await this.growing;
    }
  }

  /** The bodies with the outlines that they have in a frame. */
  bodiesAt({ versions: until }) {
    if (until === 0) return this.bodies;
    if (this.cut?.of !== this.bodies) this.cut = { of: this.bodies, at: new Map() };
    const { at } = this.cut;
    if (!at.has(until)) {
      if (at.size >= MOST_CUT) at.delete(at.keys().next().value);
      at.set(until, cutBodies(this.bodies, until));
    }
    return at.get(until);
  }

  /** How many floes are in the world in a frame. */
  floesIn(frame) {
    let count = 0;
    for (let i = 0; i < frame.count; i++) if (this.bodies.kind[i] === 0 && !Number.isNaN(frame.x[i])) count += 1;
    return count;
  }

  keep(record, frame, bytes) {
    this.frames.set(record, frame);
    const most = Math.max(8, Math.floor(MAX_CACHE / bytes));
    for (const key of this.frames.keys()) {
      if (this.frames.size <= most) break;
      if (key !== record) this.frames.delete(key);
    }
  }

  async contacts(place) {
    const reader = new Reader(await (await ask(`/api/contacts?${queryOf(place)}`)).arrayBuffer());
    const [count] = reader.take(Uint32Array, 1);
    return { record: place.record, count, points: reader.take(Float32Array, 2 * count), pairs: reader.take(Uint32Array, 2 * count) };
  }

  /** Cracks that opened since they were last asked for, added to those before: times in seconds, and x y of both ends. */
  async moreCracks() {
    const known = this.cracks ?? { count: 0, times: [], ends: [] };
    const reader = new Reader(await (await ask(`/api/cracks?from=${known.count}`)).arrayBuffer());
    const [count] = reader.take(Uint32Array, 1);
    const times = reader.take(Float32Array, count), ends = reader.take(Float32Array, 4 * count);
    this.cracks = { count: known.count + count, times: [...known.times, ...times], ends: [...known.ends, ...ends] };
    return this.cracks;
  }

  /** Where all bodies were in some records: times, and lists of x and y for each. */
  async trails() {
    const reader = new Reader(await (await ask("/api/trails")).arrayBuffer());
    const [points, count] = reader.take(Uint32Array, 2);
    const trails = { count, times: [], x: [], y: [] };
    for (let k = 0; k < points; k++) {
      trails.times.push(reader.take(Float32Array, 1)[0]);
      trails.x.push(reader.take(Float32Array, count));
      trails.y.push(reader.take(Float32Array, count));
    }
    return trails;
  }

  /** Wind and current at the bodies of a record, where they differ from place to place. */
  async weather(place) {
    const reader = new Reader(await (await ask(`/api/weather?${queryOf(place)}`)).arrayBuffer());
    const [count] = reader.take(Uint32Array, 1);
    const vectors = () => ({ x: reader.take(Float32Array, count), y: reader.take(Float32Array, count) });
    return { record: place.record, wind: vectors(), current: vectors() };
  }

  async floe(body, place) { return (await ask(`/api/floe?body=${body}&${queryOf(place)}`)).json(); }

  async ranges() { return (await ask("/api/ranges")).json(); }

  async charts() { return (await ask("/api/charts")).json(); }

  async control(command) {
    const response = await reach("/api/control", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(command),
    });
    if (!response.ok) throw new Error((await response.text()).trim());
  }
}

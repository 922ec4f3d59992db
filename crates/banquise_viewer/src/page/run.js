// The run as the server tells it: what does not change, times, and frames as they are wanted.

const MAX_CACHE = 160e6; // bytes

/** Fetches; says in our words that nobody answers. */
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
  const [count, vertexCount, indexCount] = reader.take(Uint32Array, 3);
  return {
    count,
    kind: reader.take(Uint32Array, count),
    radius: reader.take(Float32Array, count),
    thickness: reader.take(Float32Array, count),
    area: reader.take(Float32Array, count),
    born: reader.take(Float32Array, count), // seconds
    start: reader.take(Uint32Array, count), // of its triangles
    end: reader.take(Uint32Array, count),
    ringStart: reader.take(Uint32Array, count), // of its vertices
    ringEnd: reader.take(Uint32Array, count),
    vertices: reader.take(Float32Array, 2 * vertexCount),
    owners: reader.take(Uint32Array, vertexCount),
    triangles: reader.take(Uint32Array, indexCount),
  };
}

/** Bodies, and those born since: lists one after the other, with places in lists moved by what comes before. */
function joinBodies(old, more) {
  const vertexCount = old.owners.length, indexCount = old.triangles.length;
  const joined = { count: old.count + more.count };
  const shift = { start: indexCount, end: indexCount, ringStart: vertexCount, ringEnd: vertexCount, triangles: vertexCount };
  for (const [name, list] of Object.entries(old)) {
    if (name === "count") continue;
    const both = new list.constructor(list.length + more[name].length);
    both.set(list);
    both.set(shift[name] ? more[name].map(place => place + shift[name]) : more[name], list.length);
    joined[name] = both;
  }
  return joined;
}

function decodeFrame(buffer, record, lists) {
  const reader = new Reader(buffer);
  const [seconds, rest, windX, windY, waterX, waterY] = reader.take(Float32Array, 6);
  const [count] = reader.take(Uint32Array, 1);
  const frame = { record, count, time: seconds + rest, wind: [windX, windY], water: [waterX, waterY] };
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

  /** A frame that is here already. */
  held(record) { return this.frames.get(record); }

  /** A frame, fetched if need be. */
  fetch(record) {
    const held = this.frames.get(record);
    if (held) return Promise.resolve(held);
    if (!this.waiting.has(record)) {
      const generation = this.state.generation;
      const fetched = ask(`/api/frame?record=${record}`)
        .then(response => response.arrayBuffer())
        .then(async buffer => {
          const frame = decodeFrame(buffer, record, this.scene.lists);
          await this.know(frame.count);
          if (generation === this.state.generation) this.keep(record, frame, buffer.byteLength);
          return frame;
        })
        .finally(() => this.waiting.delete(record));
      this.waiting.set(record, fetched);
    }
    return this.waiting.get(record);
  }

  /** Asks for the bodies born since, until so many are known. */
  async know(count) {
    while (this.bodies.count < count) {
      this.growing ??= ask(`/api/bodies?from=${this.bodies.count}`)
        .then(response => response.arrayBuffer())
        .then(buffer => { this.bodies = joinBodies(this.bodies, decodeBodies(buffer)); })
        .finally(() => { this.growing = null; });
      await this.growing;
    }
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

  async contacts(record) {
    const reader = new Reader(await (await ask(`/api/contacts?record=${record}`)).arrayBuffer());
    const [count] = reader.take(Uint32Array, 1);
    return { record, count, points: reader.take(Float32Array, 2 * count), pairs: reader.take(Uint32Array, 2 * count) };
  }

  async floe(body, record) { return (await ask(`/api/floe?body=${body}&record=${record}`)).json(); }

  async ranges() { return (await ask("/api/ranges")).json(); }

  async charts() { return (await ask("/api/charts")).json(); }

  async control(command) {
    const response = await reach("/api/control", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(command),
    });
    if (!response.ok) throw new Error((await response.text()).trim());
  }
}

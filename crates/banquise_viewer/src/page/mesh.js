// Triangles and outlines for a zoom: which corners are worth drawing.

const FEW = 6;            // corners of a floe that is small on the screen
const SMALL = 5;          // pixels from centre to rim below which it is
const EDGED = 2.5;        // pixels below which an outline would hide the colour

export class Mesh {
  constructor(gl, bodies) {
    this.gl = gl;
    this.bodies = bodies;
    this.vertices = this.upload(gl.ARRAY_BUFFER, bodies.vertices);
    this.owners = this.upload(gl.ARRAY_BUFFER, bodies.owners);
    const part = () => ({ ...this.arrays(), list: [], ranges: [], length: 0, edge: { ...this.arrays(), length: 0, isKnown: false } });
    this.floes = part();
    this.outlines = part();
    this.land = part();
    this.coast = part();
    this.fillLand();
  }

  upload(kind, list) {
    const made = this.gl.createBuffer();
    this.gl.bindBuffer(kind, made);
    this.gl.bufferData(kind, list, this.gl.STATIC_DRAW);
    return made;
  }

  /** Takes over other outlines that are among the vertices already. */
  take(bodies) {
    this.bodies = bodies;
    this.key = null;
  }

  /** Frees the buffers of the graphics card. */
  release() {
    const { gl } = this;
    for (const part of [this.floes, this.outlines, this.land, this.coast]) {
      for (const { arrays, indices } of [part, part.edge]) {
        gl.deleteVertexArray(arrays);
        gl.deleteBuffer(indices);
      }
    }
    gl.deleteBuffer(this.vertices);
    gl.deleteBuffer(this.owners);
  }

  /** Vertices with a list of indices of their own. */
  arrays() {
    const { gl } = this;
    const arrays = gl.createVertexArray(), indices = gl.createBuffer();
    gl.bindVertexArray(arrays);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.vertices);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.owners);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribIPointer(1, 1, gl.UNSIGNED_INT, 0, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    gl.bindVertexArray(null);
    return { arrays, indices };
  }

  fill(part, list, ranges) {
    part.list = Uint32Array.from(list);
    part.ranges = ranges;
    part.edge.isKnown = false;
    this.send(part, part.list);
  }

  send(part, list) {
    const { gl } = this;
    gl.bindVertexArray(part.arrays);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, part.indices);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, list, gl.DYNAMIC_DRAW);
    gl.bindVertexArray(null);
    part.length = list.length;
  }

  /** Obstacles are few, and drawn with all their corners. */
  fillLand() {
    const { bodies } = this;
    const triangles = [], lines = [], inner = [], outer = [];
    for (let body = 0; body < bodies.count; body++) {
      if (bodies.kind[body] !== 1) continue;
      inner.push(body, triangles.length, 0);
      for (let k = bodies.start[body]; k < bodies.end[body]; k++) triangles.push(bodies.triangles[k]);
      inner[inner.length - 1] = triangles.length;
      outer.push(body, lines.length, 0);
      addRing(lines, bodies, body);
      outer[outer.length - 1] = lines.length;
    }
    this.fill(this.land, triangles, inner);
    this.fill(this.coast, lines, outer);
  }

  /** Chooses the floes and corners worth drawing; done again when the view has changed by half of its size, or when other
      floes are in the world, or, where it is a small part of the ice, with every record. */
  suit(camera, hasOutlines, poses, record, cell, living) {
    const step = Math.round(Math.log2(camera.scale) * 2);
    const view = [camera.width / camera.scale, camera.height / camera.scale];
    const { min, max } = camera.extent;
    const isClose = view[0] * view[1] < 0.25 * (max[0] - min[0]) * (max[1] - min[1]);
    const tile = [Math.round(2 * camera.x / view[0]), Math.round(2 * camera.y / view[1])];
    const shown = `${step} ${hasOutlines} ${living}`;
    const key = isClose ? `${shown} ${tile} ${record}` : shown;
    if (this.key === key) return;
    this.key = key;
    const size = 2 ** (step / 2);
    const middle = [tile[0] * view[0] / 2, tile[1] * view[1] / 2];
    const isFar = body => {
      const reach = this.bodies.radius[body], x = poses[4 * body], y = poses[4 * body + 1];
      const isOut = Math.abs(x - middle[0]) > view[0] + reach || Math.abs(y - middle[1]) > view[1] + reach;
      return isOut && !overEdge(x, y, reach, cell);
    };
    const { bodies } = this;
    const triangles = [], lines = [], inner = [], outer = [];
    for (let body = 0; body < bodies.count; body++) {
      if (bodies.kind[body] !== 0 || !isThere(poses, body) || (isClose && isFar(body))) continue;
      const pixels = bodies.radius[body] * size;
      inner.push(body, triangles.length, 0);
      const corners = bodies.ringEnd[body] - bodies.ringStart[body];
      if (pixels < SMALL && corners > FEW) {
        const first = bodies.ringStart[body];
        for (let k = 1; k < FEW - 1; k++) triangles.push(first, first + Math.floor(k * corners / FEW), first + Math.floor((k + 1) * corners / FEW));
      } else {
        for (let k = bodies.start[body]; k < bodies.end[body]; k++) triangles.push(bodies.triangles[k]);
      }
      inner[inner.length - 1] = triangles.length;
      if (!hasOutlines || pixels < EDGED) continue;
      outer.push(body, lines.length, 0);
      addRing(lines, bodies, body);
      outer[outer.length - 1] = lines.length;
    }
    this.fill(this.floes, triangles, inner);
    this.fill(this.outlines, lines, outer);
  }

  /** Bodies have moved: those that reach over an edge of the cell must be found again. */
  forgetEdge() {
    for (const part of [this.floes, this.outlines, this.land, this.coast]) part.edge.isKnown = false;
  }

  /** Of a part, what reaches over an edge of the periodic cell. */
  edgeOf(part, poses, cell) {
    const { edge } = part;
    if (edge.isKnown) return edge;
    const { radius } = this.bodies;
    const list = [];
    for (let k = 0; k < part.ranges.length; k += 3) {
      const body = part.ranges[k];
      if (!overEdge(poses[4 * body], poses[4 * body + 1], radius[body], cell)) continue;
      for (let j = part.ranges[k + 1]; j < part.ranges[k + 2]; j++) list.push(part.list[j]);
    }
    this.send(edge, Uint32Array.from(list));
    edge.isKnown = true;
    return edge;
  }
}

/** Whether a body is in the world: one that is not points nowhere. */
export function isThere(poses, body) { return poses[4 * body + 2] !== 0 || poses[4 * body + 3] !== 0; }

/** Whether a body reaches over an edge of the periodic cell, where there is one. */
function overEdge(x, y, reach, [left, bottom, width, height]) {
  if (width === 0) return false;
  return x - left < reach || y - bottom < reach || left + width - x < reach || bottom + height - y < reach;
}

function addRing(lines, { ringStart, ringEnd }, body) {
  for (let k = ringStart[body]; k < ringEnd[body]; k++) lines.push(k, k + 1 < ringEnd[body] ? k + 1 : ringStart[body]);
}

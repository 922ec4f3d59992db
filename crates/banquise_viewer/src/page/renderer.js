// The ice on the graphics card: outlines are sent once, poses when they change, and a picture is a call or two for floes and
// two for obstacles, whatever their number. Floes a few pixels wide are drawn with few corners.

import { Mesh, isThere } from "./mesh.js";

const WIDTH = 1024; // texels in a row of the textures of poses

const VERTEX = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
layout(location = 0) in vec2 a_vertex;
layout(location = 1) in uint a_body;
uniform sampler2D u_poses;        // x, y, cosine and sine of the heading; both zero for a body that is not in the world
uniform sampler2D u_values;
uniform vec2 u_center, u_scale;   // metres; clip units a metre
uniform vec4 u_cell;              // corner and size of a periodic cell; size zero for none
uniform int u_first;              // number of the first copy
flat out float v_value;
flat out uint v_body;
out vec2 v_place;
void main() {
  ivec2 texel = ivec2(int(a_body) % ${WIDTH}, int(a_body) / ${WIDTH});
  vec4 pose = texelFetch(u_poses, texel, 0);
  if (pose.z == 0.0 && pose.w == 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  vec2 place = pose.xy;
  int copy = gl_InstanceID + u_first;
  if (copy > 0) {
    // Those near an edge are seen at the other one too.
    vec2 side = mix(vec2(-1.0), vec2(1.0), lessThan(place, u_cell.xy + 0.5 * u_cell.zw));
    place += side * u_cell.zw * vec2(float(copy & 1), float(copy >> 1));
  }
  v_place = place + vec2(pose.z * a_vertex.x - pose.w * a_vertex.y, pose.w * a_vertex.x + pose.z * a_vertex.y);
  v_value = texelFetch(u_values, texel, 0).r;
  v_body = a_body;
  gl_Position = vec4((v_place - u_center) * u_scale, 0.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
flat in float v_value;
flat in uint v_body;
in vec2 v_place;
uniform vec4 u_cell;
uniform vec2 u_range;
uniform sampler2D u_ramp;
uniform vec4 u_color;      // used as it is where its last number is not negative
uniform vec3 u_unknown;
uniform int u_names;
out vec4 color;
void main() {
  if (u_cell.z > 0.0) {
    vec2 inner = v_place - u_cell.xy;
    if (any(lessThan(inner, vec2(0.0))) || any(greaterThan(inner, u_cell.zw))) discard;
  }
  if (u_color.a >= 0.0) { color = vec4(u_color.rgb * u_color.a, u_color.a); return; }
  if (u_names == 1) { color = texelFetch(u_ramp, ivec2(int(v_body) % 256, 0), 0); return; }
  float part = (v_value - u_range.x) / (u_range.y - u_range.x);
  if (isnan(part)) { color = vec4(u_unknown, 1.0); return; }
  color = texture(u_ramp, vec2((clamp(part, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5));
}`;

function program(gl) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  return made;
}

/** Whether pictures are drawn by the processor, where smooth edges are dear. */
function isSoftware() {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl?.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER) ?? "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

export class Renderer {
  constructor(canvas, run) {
    const gl = canvas.getContext("webgl2", { antialias: !isSoftware(), alpha: true, premultipliedAlpha: true });
    if (!gl) throw new Error("This browser has no WebGL 2: the ice cannot be drawn.");
    this.gl = gl;
    this.canvas = canvas;
    this.run = run;
    this.bodies = run.bodies;
    const { edges, rectangle } = run.scene.domain;
    this.cell = [0, 0, 0, 0];
    if (edges === "periodic") {
      const { min, max } = rectangle;
      this.cell = [min[0], min[1], max[0] - min[0], max[1] - min[1]];
    }
    this.setUp();
  }

  /** Everything the card holds; done again when it lost it. */
  setUp() {
    const { gl, bodies } = this;
    this.program = program(gl);
    this.places = {};
    for (const name of ["u_poses", "u_values", "u_first", "u_center", "u_scale", "u_cell", "u_range", "u_ramp", "u_color", "u_unknown", "u_names"]) {
      this.places[name] = gl.getUniformLocation(this.program, name);
    }
    this.mesh = new Mesh(gl, bodies);
    this.ramp = this.texture(256, 1, gl.RGBA8);
    this.rampKey = null;
    this.makeRoom();
  }

  texture(width, height, format) {
    const { gl } = this;
    const made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
    for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
    return made;
  }

  /** Textures for the poses and values of all bodies. */
  makeRoom() {
    const { gl, bodies } = this;
    this.rows = Math.max(1, Math.ceil(bodies.count / WIDTH));
    this.poseTexture = this.texture(WIDTH, this.rows, gl.RGBA32F);
    this.valueTexture = this.texture(WIDTH, this.rows, gl.R32F);
    this.poses = new Float32Array(4 * WIDTH * this.rows);
    this.values = new Float32Array(WIDTH * this.rows);
    this.poseKey = this.valueKey = null;
  }

  /** Takes over the bodies of a frame: those born since the last picture, and outlines after cuts. */
  follow(frame) {
    const bodies = this.run.bodiesAt(frame);
    if (this.bodies === bodies) return;
    const { gl } = this;
    const hasVertices = this.bodies.vertices === bodies.vertices;
    this.bodies = bodies;
    if (hasVertices) {
      this.mesh.take(bodies);
      return;
    }
    this.mesh.release();
    this.mesh = new Mesh(gl, this.bodies);
    if (this.bodies.count > WIDTH * this.rows) {
      gl.deleteTexture(this.poseTexture);
      gl.deleteTexture(this.valueTexture);
      this.makeRoom();
    }
    this.poseKey = this.valueKey = null;
  }

  resize(width, height, ratio) {
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
  }

  setRamp(key, bytes) {
    if (this.rampKey === key) return;
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.ramp);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 256, 1, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    this.rampKey = key;
  }

  /** Sets the positions of bodies between two frames, and the numbers they are coloured by. */
  setTime({ from, to, mix, field, painter }) {
    this.follow(from);
    const later = this.run.bodiesAt(to);
    const { gl, poses, values, cell } = this;
    const key = `${from.record} ${from.time} ${to.record} ${mix}`;
    if (this.poseKey !== key) {
      const [left, bottom, width, height] = cell;
      const turn = 2 * Math.PI;
      poses.fill(0, 4 * from.count);
      let living = 0, stamp = 0;
      for (let i = 0; i < from.count; i++) {
        if (Number.isNaN(from.x[i])) {
          poses.fill(0, 4 * i, 4 * i + 4);
          continue;
        }
        living += 1;
        stamp = (31 * stamp + i) | 0;
        // A body that goes before the next record drifts on until then; so does one that is cut, whose centre is another then.
        const isCut = later.ringStart[i] !== this.bodies.ringStart[i];
        const isGone = !(i < to.count) || Number.isNaN(to.x[i]);
        const isLast = isGone || isCut;
        const span = to.time - from.time;
        let dx = isLast ? span * from.velocity_x[i] : to.x[i] - from.x[i];
        let dy = isLast ? span * from.velocity_y[i] : to.y[i] - from.y[i];
        if (width > 0) { dx -= width * Math.round(dx / width); dy -= height * Math.round(dy / height); }
        let x = from.x[i] + mix * dx, y = from.y[i] + mix * dy;
        if (width > 0) {
          x -= width * Math.floor((x - left) / width);
          y -= height * Math.floor((y - bottom) / height);
        }
        const by = isGone ? 0 : to.heading[i] - from.heading[i];
        const heading = from.heading[i] + mix * (by - turn * Math.round(by / turn));
        poses[4 * i] = x;
        poses[4 * i + 1] = y;
        poses[4 * i + 2] = Math.cos(heading);
        poses[4 * i + 3] = Math.sin(heading);
      }
      gl.bindTexture(gl.TEXTURE_2D, this.poseTexture);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, WIDTH, this.rows, gl.RGBA, gl.FLOAT, poses);
      this.poseKey = key;
      // Tells which bodies are in the world.
      this.living = `${living} ${stamp}`;
      this.mesh.forgetEdge();
    }
    const valueKey = `${key} ${field}`;
    if (this.valueKey !== valueKey) {
      const first = painter.values(field, from), second = painter.values(field, to);
      for (let i = 0; i < from.count; i++) {
        const by = second[i] - first[i];
        values[i] = Number.isNaN(by) ? first[i] : first[i] + mix * by;
      }
      gl.bindTexture(gl.TEXTURE_2D, this.valueTexture);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, WIDTH, this.rows, gl.RED, gl.FLOAT, values);
      this.valueKey = valueKey;
    }
  }

  /** x, y, cosine and sine of the heading of a body, as it is drawn. */
  pose(body) { return this.poses.subarray(4 * body, 4 * body + 4); }

  /** Whether a body is in the world, as it is drawn. */
  isThere(body) { return isThere(this.poses, body); }

  /** The body at a point of the plane, floes before obstacles; null where there is none. */
  bodyAt(x, y) {
    const { bodies } = this, [, , width, height] = this.cell;
    let found = null;
    for (let body = 0; body < bodies.count; body++) {
      if (!this.isThere(body)) continue;
      const [cx, cy, c, s] = this.pose(body);
      let dx = x - cx, dy = y - cy;
      if (width > 0) { dx -= width * Math.round(dx / width); dy -= height * Math.round(dy / height); }
      if (dx * dx + dy * dy > bodies.radius[body] ** 2) continue;
      const isInside = contains(bodies, body, c * dx + s * dy, -s * dx + c * dy);
      if (isInside && (found === null || bodies.kind[found] === 1)) found = body;
    }
    return found;
  }

  /** Draws the ice between two frames. */
  draw(view) {
    const { gl, places, cell } = this;
    const { camera, field, painter, theme } = view;
    this.setTime(view);
    const { mesh } = this;
    painter.frame = view.from;
    mesh.suit(camera, view.outlines, this.poses, view.from.record, cell, this.living);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(this.program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    [this.poseTexture, this.valueTexture, this.ramp].forEach((texture, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    });
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform1i(places.u_poses, 0);
    gl.uniform1i(places.u_values, 1);
    gl.uniform1i(places.u_ramp, 2);
    gl.uniform2f(places.u_center, camera.x, camera.y);
    gl.uniform2f(places.u_scale, 2 * camera.scale / camera.width, 2 * camera.scale / camera.height);
    gl.uniform4f(places.u_cell, ...cell);
    gl.uniform2f(places.u_range, ...painter.scale(field));
    gl.uniform3f(places.u_unknown, ...theme.unknown);
    gl.uniform1i(places.u_names, field === "id" ? 1 : 0);
    const call = (kind, part, color) => {
      gl.uniform4f(places.u_color, ...color);
      const copies = (first, count, { arrays, length }) => {
        if (length === 0) return;
        gl.uniform1i(places.u_first, first);
        gl.bindVertexArray(arrays);
        gl.drawElementsInstanced(kind, length, gl.UNSIGNED_INT, 0, count);
      };
      copies(0, 1, part);
      if (cell[2] > 0) copies(1, 3, mesh.edgeOf(part, this.poses, cell));
    };
    call(gl.TRIANGLES, mesh.land, [...theme.land, 1]);
    call(gl.LINES, mesh.coast, [...theme.landEdge, 1]);
    call(gl.TRIANGLES, mesh.floes, [0, 0, 0, -1]);
    call(gl.LINES, mesh.outlines, [...theme.edge, 0.8]);
    gl.bindVertexArray(null);
  }

  /** Waits until the card has drawn everything. */
  finish() {
    const pixel = new Uint8Array(4);
    this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, pixel);
  }
}

/** Whether a point of the body frame is in one of the body's triangles. */
function contains({ vertices, triangles, start, end }, body, x, y) {
  for (let k = start[body]; k < end[body]; k += 3) {
    let sides = 0;
    for (let j = 0; j < 3; j++) {
      const a = 2 * triangles[k + j], b = 2 * triangles[k + (j + 1) % 3];
      const side = (vertices[b] - vertices[a]) * (y - vertices[a + 1]) - (vertices[b + 1] - vertices[a + 1]) * (x - vertices[a]);
      sides += Math.sign(side);
    }
    if (Math.abs(sides) >= 2) return true;
  }
  return false;
}

// The ice on the graphics card: outlines are sent once, poses once a record, and each picture is two calls for floes and
// two for obstacles, whatever their number.

const WIDTH = 1024; // texels in a row of the textures of poses

const VERTEX = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
layout(location = 0) in vec2 a_vertex;
layout(location = 1) in uint a_body;
uniform sampler2D u_from, u_to;   // x, y, heading, value
uniform float u_mix;
uniform vec2 u_center, u_scale;   // metres; clip units a metre
uniform vec4 u_cell;              // corner and size of a periodic cell; size zero for none
flat out float v_value;
flat out uint v_body;
out vec2 v_place;
const float TURN = 6.283185307179586;
void main() {
  ivec2 texel = ivec2(int(a_body) % ${WIDTH}, int(a_body) / ${WIDTH});
  vec4 from = texelFetch(u_from, texel, 0), to = texelFetch(u_to, texel, 0);
  vec2 way = to.xy - from.xy;
  if (u_cell.z > 0.0) way -= u_cell.zw * round(way / u_cell.zw);
  vec2 place = from.xy + u_mix * way;
  if (u_cell.z > 0.0) {
    place = u_cell.xy + mod(place - u_cell.xy, u_cell.zw);
    vec2 side = mix(vec2(-1.0), vec2(1.0), lessThan(place, u_cell.xy + 0.5 * u_cell.zw));
    place += side * u_cell.zw * vec2(float(gl_InstanceID & 1), float(gl_InstanceID >> 1));
  }
  float turn = to.z - from.z;
  float angle = from.z + u_mix * (turn - TURN * round(turn / TURN));
  float c = cos(angle), s = sin(angle);
  v_place = place + vec2(c * a_vertex.x - s * a_vertex.y, s * a_vertex.x + c * a_vertex.y);
  v_value = mix(from.w, to.w, u_mix);
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

export class Renderer {
  constructor(canvas, run) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: true, premultipliedAlpha: true });
    if (!gl) throw new Error("This browser has no WebGL 2: the ice cannot be drawn.");
    this.gl = gl;
    this.canvas = canvas;
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
    for (const name of ["u_from", "u_to", "u_mix", "u_center", "u_scale", "u_cell", "u_range", "u_ramp", "u_color", "u_unknown", "u_names"]) {
      this.places[name] = gl.getUniformLocation(this.program, name);
    }
    const buffer = (kind, list) => {
      const made = gl.createBuffer();
      gl.bindBuffer(kind, made);
      gl.bufferData(kind, list, gl.STATIC_DRAW);
      return made;
    };
    const vertices = buffer(gl.ARRAY_BUFFER, bodies.vertices);
    const owners = buffer(gl.ARRAY_BUFFER, bodies.owners);
    const arrays = indices => {
      const made = gl.createVertexArray();
      gl.bindVertexArray(made);
      gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
      gl.bindBuffer(gl.ARRAY_BUFFER, owners);
      gl.enableVertexAttribArray(1);
      gl.vertexAttribIPointer(1, 1, gl.UNSIGNED_INT, 0, 0);
      buffer(gl.ELEMENT_ARRAY_BUFFER, indices);
      gl.bindVertexArray(null);
      return made;
    };
    this.triangles = arrays(bodies.triangles);
    this.lines = arrays(bodies.lines);
    const rows = Math.max(1, Math.ceil(bodies.count / WIDTH));
    const texture = (width, height, format) => {
      const made = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, made);
      for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
      for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
      gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
      return made;
    };
    this.slots = [0, 1].map(() => ({
      texture: texture(WIDTH, rows, gl.RGBA32F), numbers: new Float32Array(4 * WIDTH * rows), key: null,
    }));
    this.rows = rows;
    this.ramp = texture(256, 1, gl.RGBA8);
    this.rampKey = null;
  }

  resize(width, height, ratio) {
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
  }

  /** The slot that holds a frame with the values of a field; it is filled if none does. */
  slotOf(frame, field, painter, spare) {
    const key = `${frame.record} ${frame.time} ${field}`;
    const found = this.slots.find(slot => slot.key === key);
    if (found) return found;
    const slot = this.slots.find(slot => slot.key !== spare) ?? this.slots[0];
    const { numbers } = slot;
    for (let i = 0; i < frame.count; i++) {
      numbers[4 * i] = frame.x[i];
      numbers[4 * i + 1] = frame.y[i];
      numbers[4 * i + 2] = frame.heading[i];
    }
    painter.values(field, frame, numbers);
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, slot.texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, WIDTH, this.rows, gl.RGBA, gl.FLOAT, numbers);
    slot.key = key;
    return slot;
  }

  setRamp(key, bytes) {
    if (this.rampKey === key) return;
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.ramp);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 256, 1, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    this.rampKey = key;
  }

  /** Draws the ice between two frames. */
  draw(view) {
    const { gl, bodies, places, cell } = this;
    const { camera, from, to, mix, field, painter, theme } = view;
    const keyOf = frame => `${frame.record} ${frame.time} ${field}`;
    const first = this.slotOf(from, field, painter, keyOf(to));
    const second = this.slotOf(to, field, painter, first.key);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(this.program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    [first.texture, second.texture, this.ramp].forEach((texture, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    });
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform1i(places.u_from, 0);
    gl.uniform1i(places.u_to, 1);
    gl.uniform1i(places.u_ramp, 2);
    gl.uniform1f(places.u_mix, mix);
    gl.uniform2f(places.u_center, camera.x, camera.y);
    gl.uniform2f(places.u_scale, 2 * camera.scale / camera.width, 2 * camera.scale / camera.height);
    gl.uniform4f(places.u_cell, ...cell);
    gl.uniform2f(places.u_range, ...painter.scale(field));
    gl.uniform3f(places.u_unknown, ...theme.unknown);
    gl.uniform1i(places.u_names, field === "id" ? 1 : 0);
    const copies = cell[2] > 0 ? 4 : 1;
    const call = (kind, arrays, first, end, color) => {
      if (end <= first) return;
      gl.uniform4f(places.u_color, ...color);
      gl.bindVertexArray(arrays);
      gl.drawElementsInstanced(kind, end - first, gl.UNSIGNED_INT, 4 * first, copies);
    };
    call(gl.TRIANGLES, this.triangles, bodies.floeTriangles, bodies.allTriangles, [...theme.land, 1]);
    call(gl.LINES, this.lines, bodies.floeLines, bodies.allLines, [...theme.landEdge, 1]);
    call(gl.TRIANGLES, this.triangles, 0, bodies.floeTriangles, [0, 0, 0, -1]);
    const strength = view.outlines ? this.edgeStrength(camera) : 0;
    if (strength > 0.02) call(gl.LINES, this.lines, 0, bodies.floeLines, [...theme.edge, strength]);
    gl.bindVertexArray(null);
  }

  /** Outlines of floes a few pixels wide would hide their colour. */
  edgeStrength(camera) {
    if (this.typical === undefined) {
      const radii = [...this.bodies.radius].filter((_, i) => this.bodies.kind[i] === 0).sort((a, b) => a - b);
      this.typical = radii[Math.floor(radii.length / 2)] ?? 1;
    }
    return Math.min(1, Math.max(0, (this.typical * camera.scale - 1) / 6)) * 0.85;
  }

  /** Waits until the card has drawn everything. */
  finish() {
    const pixel = new Uint8Array(4);
    this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, pixel);
  }
}

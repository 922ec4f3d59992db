// Trails behind the floes, arrows of their velocities, and arrows of wind or current.

import { digits } from "./text.js";

const MOST_TRAILS = 1500; // drawn: those of the largest floes
const FADES = 6;          // steps from the oldest part of a trail to the newest
const CELL = 26;          // pixels: one arrow of a velocity in each square of this side
const FIELD_CELL = 72;    // pixels: the same for wind and current
const LONGEST = 44;       // pixels of the longest arrow

/** The floes in the order of size, largest first; kept until there are others. */
export class BySize {
  of(bodies) {
    if (this.area === bodies.area) return this.list;
    this.area = bodies.area;
    this.list = [];
    for (let i = 0; i < bodies.count; i++) if (bodies.kind[i] === 0) this.list.push(i);
    this.list.sort((a, b) => bodies.area[b] - bodies.area[a]);
    return this.list;
  }
}

/** Draws where the floes were before, the older the fainter. */
export function drawTrails(pen, { camera, theme, trails, time, list, poseOf, isThere, cell }) {
  const { times } = trails;
  let last = times.length;
  while (last > 0 && times[last - 1] > time) last -= 1;
  if (last === 0) return;
  const begin = times[0], length = Math.max(time - begin, 1e-9);
  const fade = k => Math.min(FADES - 1, Math.floor((times[k] - begin) / length * FADES));
  pen.strokeStyle = theme.css.trail;
  pen.lineWidth = 1.4;
  for (let band = 0, first = 0; band < FADES && first < last; band++) {
    let end = first;
    while (end < last && fade(end) <= band) end += 1;
    if (end === first) continue;
    pen.globalAlpha = 0.15 + 0.65 * ((band + 1) / FADES) ** 1.5;
    pen.beginPath();
    for (const body of list.slice(0, MOST_TRAILS)) {
      let before = null;
      const to = (x, y) => {
        if (Number.isNaN(x)) { before = null; return; }
        const jumps = before && cell[2] > 0 && (Math.abs(x - before[0]) > cell[2] / 2 || Math.abs(y - before[1]) > cell[3] / 2);
        const point = camera.toScreen(x, y);
        if (before && !jumps) pen.lineTo(...point); else pen.moveTo(...point);
        before = [x, y];
      };
      // A band begins where the one before ended.
      for (let k = Math.max(first - 1, 0); k < end; k++) if (body < trails.count) to(trails.x[k][body], trails.y[k][body]);
      if (end === last && isThere(body)) to(...poseOf(body));
    }
    pen.stroke();
    first = end;
  }
  pen.globalAlpha = 1;
}

/** Draws velocities of floes, one in each square of the screen, and what the length of an arrow means. */
export function drawVelocities(pen, { camera, theme, frame, list, poseOf, isThere, fastest, write }) {
  const arrows = sparse(camera, list, CELL, poseOf, isThere).map(([body, px, py]) => [px, py, frame.velocity_x[body], frame.velocity_y[body]]);
  if (!(fastest > 0)) return;
  drawArrows(pen, arrows, LONGEST / fastest, theme.css.mark, theme.css.paper);
  drawKey(pen, camera, theme, write, `${digits(roundSpeed(fastest))} m/s`, LONGEST / fastest * roundSpeed(fastest), theme.css.mark, 0);
}

/** Draws wind or current: at the floes where it differs from place to place, and all over the view else. */
export function drawField(pen, { camera, theme, list, poseOf, isThere, write, field }) {
  const { name, at, uniform } = field;
  let arrows = [];
  if (at) arrows = sparse(camera, list, FIELD_CELL, poseOf, isThere).map(([body, px, py]) => [px, py, at.x[body], at.y[body]]);
  else for (let px = FIELD_CELL / 2; px < camera.width; px += FIELD_CELL) {
    for (let py = FIELD_CELL / 2; py < camera.height; py += FIELD_CELL) arrows.push([px, py, ...uniform]);
  }
  const fastest = arrows.reduce((most, [, , u, v]) => Math.max(most, Math.hypot(u, v) || 0), 0);
  if (!(fastest > 0)) return;
  const scale = (at ? LONGEST : 0.75 * LONGEST) / fastest;
  pen.globalAlpha = at ? 0.9 : 0.45;
  drawArrows(pen, arrows, scale, theme.css.accent, theme.css.paper);
  pen.globalAlpha = 1;
  drawKey(pen, camera, theme, write, `${name} ${digits(roundSpeed(fastest))} m/s`, scale * roundSpeed(fastest), theme.css.accent, 1);
}

/** One, two or five times a power of ten, at most a speed. */
function roundSpeed(speed) {
  const power = 10 ** Math.floor(Math.log10(speed));
  return [5, 2, 1].find(step => step * power <= speed * (1 + 1e-9)) * power;
}

/** The largest floe of each square of the screen. */
function sparse(camera, list, side, poseOf, isThere) {
  const taken = new Set(), found = [];
  for (const body of list) {
    if (!isThere(body)) continue;
    const [x, y] = poseOf(body), [px, py] = camera.toScreen(x, y);
    if (px < 0 || py < 0 || px > camera.width || py > camera.height) continue;
    const square = Math.floor(px / side) + 4096 * Math.floor(py / side);
    if (taken.has(square)) continue;
    taken.add(square);
    found.push([body, px, py]);
  }
  return found;
}

function drawArrows(pen, arrows, scale, color, paper) {
  for (const [tint, width] of [[paper, 4], [color, 1.8]]) {
    pen.strokeStyle = tint;
    pen.lineWidth = width;
    pen.beginPath();
    for (const [px, py, u, v] of arrows) arrow(pen, px, py, scale * u, -scale * v);
    pen.stroke();
  }
}

/** An arrow from a point; one too short to be seen is left out. */
function arrow(pen, px, py, dx, dy) {
  const length = Math.hypot(dx, dy);
  if (!(length > 2)) return;
  const head = Math.min(7, 0.5 * length) / length;
  const [tx, ty] = [px + dx, py + dy];
  pen.moveTo(px, py);
  pen.lineTo(tx, ty);
  pen.moveTo(tx - head * (dx - 0.6 * dy), ty - head * (dy + 0.6 * dx));
  pen.lineTo(tx, ty);
  pen.lineTo(tx - head * (dx + 0.6 * dy), ty - head * (dy - 0.6 * dx));
}

function drawKey(pen, camera, theme, write, text, length, color, row) {
  const y = camera.height - 44 - 20 * row;
  drawArrows(pen, [[14, y, length, 0]], 1, color, theme.css.paper);
  write(text, 14 + length + 8, y + 4, "left", theme);
}

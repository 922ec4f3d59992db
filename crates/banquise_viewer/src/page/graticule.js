// Lines of the map: meridians and parallels where the scenario says where on the Earth it is, and a grid in kilometres else.

import { degrees } from "./geography.js";
import { quantity, roundDown } from "./text.js";

const APART = 110;  // pixels between two lines, about
const PIECES = 16;  // of a meridian or parallel in the view
const STEPS = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 5e-3, 2e-3, 1e-3]; // degrees

export function drawGraticule(pen, { camera, theme, earth, origin, write }) {
  pen.strokeStyle = theme.css.ink;
  pen.globalAlpha = 0.13;
  pen.lineWidth = 1;
  const labels = earth ? drawDegrees(pen, camera, earth, origin) : drawMetres(pen, camera, origin);
  pen.globalAlpha = 1;
  for (const [text, x, y, align] of labels) write(text, x, y, align, theme);
}

/** Multiples of a step from a number to another. */
function* multiples(from, to, step) {
  for (let k = Math.ceil(from / step); k * step <= to; k++) yield k * step;
}

function drawMetres(pen, camera, origin) {
  const step = roundDown(2 * APART / camera.scale);
  const [left, top] = camera.toSea(0, 0), [right, bottom] = camera.toSea(camera.width, camera.height);
  const labels = [];
  const minus = text => text.replace("-", "−");
  const name = value => (step >= 1000 ? minus(`${Math.round(value / 1000)} km`) : quantity(Math.abs(value) < step / 2 ? 0 : value, "m"));
  for (const x of multiples(left + origin[0], right + origin[0], step)) {
    const [px] = camera.toScreen(x - origin[0], 0);
    line(pen, [[px, 0], [px, camera.height]]);
    labels.push([name(x), px, 13, "center"]);
  }
  for (const y of multiples(bottom + origin[1], top + origin[1], step)) {
    const [, py] = camera.toScreen(0, y - origin[1]);
    line(pen, [[0, py], [camera.width, py]]);
    labels.push([name(y), camera.width - 6, py + 4, "right"]);
  }
  return labels.filter(([, x, y]) => isFree(camera, x, y));
}

function drawDegrees(pen, camera, earth, origin) {
  const { width, height } = camera;
  const at = (px, py) => {
    const [x, y] = camera.toSea(px, py);
    return earth.toDegrees(x + origin[0], y + origin[1]);
  };
  const place = (longitude, latitude) => {
    const [x, y] = earth.toPlane(longitude, latitude);
    return camera.toScreen(x - origin[0], y - origin[1]);
  };
  const [middle, latitude] = at(width / 2, height / 2);
  const turn = longitude => ((longitude - middle + 540) % 360) - 180; // degrees east of the middle
  let low = [Infinity, Infinity], high = [-Infinity, -Infinity];
  for (let i = 0; i <= PIECES; i++) for (const j of [0, 0.5, 1]) {
    for (const [px, py] of [[i / PIECES * width, j * height], [j * width, i / PIECES * height]]) {
      const [lon, lat] = at(px, py), corner = [turn(lon), lat];
      low = low.map((v, k) => Math.min(v, corner[k]));
      high = high.map((v, k) => Math.max(v, corner[k]));
    }
  }
  const metres = 111e3, view = APART / camera.scale;
  const fitting = size => STEPS.find(step => step <= size) ?? STEPS.at(-1);
  const steps = [fitting(2 * view / (metres * Math.max(Math.cos(latitude * Math.PI / 180), 0.01))), fitting(2 * view / metres)];
  const decimals = steps.map(step => Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const labels = [];
  for (const lon of multiples(low[0] + middle, high[0] + middle, steps[0])) {
    const points = piecewise(low[1], high[1], lat => place(lon, lat));
    line(pen, points);
    const top = crossing(points, 1, 0);
    if (top) labels.push([degrees(lon - 360 * Math.floor((lon + 180) / 360), decimals[0], "EW"), top[0], 13, "center"]);
  }
  for (const lat of multiples(low[1], Math.min(high[1], 89.999), steps[1])) {
    const points = piecewise(low[0], high[0], lon => place(lon + middle, lat));
    line(pen, points);
    const right = crossing(points, 0, width);
    if (right) labels.push([degrees(lat, decimals[1], "NS"), width - 6, right[1] + 4, "right"]);
  }
  return labels.filter(([, x, y]) => isFree(camera, x, y));
}

const piecewise = (from, to, place) => Array.from({ length: PIECES + 1 }, (_, k) => place(from + k / PIECES * (to - from)));

/** Where a line crosses a given coordinate along an axis; null where it does not. */
function crossing(points, axis, value) {
  for (let k = 0; k + 1 < points.length; k++) {
    const [a, b] = [points[k], points[k + 1]];
    if ((a[axis] - value) * (b[axis] - value) > 0 || a[axis] === b[axis]) continue;
    const part = (value - a[axis]) / (b[axis] - a[axis]);
    return a.map((v, j) => v + part * (b[j] - v));
  }
  return null;
}

function line(pen, points) {
  pen.beginPath();
  for (const point of points) pen.lineTo(...point);
  pen.stroke();
}

/** Labels keep away from the clock, the arrow of the wind and each other's corner. */
function isFree(camera, x, y) {
  return y > 20 ? y > 110 && y < camera.height - 30 : x > 240 && x < camera.width - 100;
}

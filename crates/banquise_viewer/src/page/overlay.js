// What lies under the ice, graticule and trails, and over it: arrows, path and outline of the chosen floe, contacts, forces, domain, scale bar,
// wind.

import { Earth } from "./geography.js";
import { drawGraticule } from "./graticule.js";
import { BySize, drawField, drawTrails, drawVelocities } from "./marks.js";
import { quantity, roundDown } from "./text.js";

const MOST_FORCES = 2000;
const FRESH = 3; // records in which a crack is new
const FADED = 15; // records after which it is gone: pieces have moved on

export class Overlay {
  constructor(under, over, run) {
    this.canvases = [under, over];
    [this.below, this.pen] = this.canvases.map(canvas => canvas.getContext("2d"));
    this.run = run;
    this.bySize = new BySize();
    const { tangent_point_deg: point } = run.scene;
    this.earth = point ? new Earth(point) : null;
  }

  resize(width, height, ratio) {
    for (const canvas of this.canvases) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.ratio = ratio;
  }

  draw(view) {
    const { pen, below } = this;
    for (const one of [below, pen]) {
      one.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      one.clearRect(0, 0, view.camera.width, view.camera.height);
      one.lineJoin = one.lineCap = "round";
    }
    const more = {
      ...view, earth: this.earth, origin: this.run.scene.origin_m, list: this.bySize.of(view.bodies),
      write: (...words) => this.write(...words),
    };
    if (view.graticule) drawGraticule(below, more);
    if (view.trails) drawTrails(below, more);
    this.drawDomain(view);
    if (view.field) drawField(pen, more);
    if (view.arrows) drawVelocities(pen, more);
    if (view.forces) this.drawForces(view);
    if (view.cracks) this.drawCracks(view);
    if (view.contacts) this.drawContacts(view);
    if (view.chosen) this.drawChosen(view);
    this.drawScaleBar(view);
    if (!view.field) this.drawWind(view);
  }

  drawDomain({ camera, theme }) {
    const { edges, open, rectangle } = this.run.scene.domain;
    if (!rectangle) return;
    const [left, bottom] = camera.toScreen(...rectangle.min), [right, top] = camera.toScreen(...rectangle.max);
    const { pen } = this;
    pen.strokeStyle = theme.css.ink;
    pen.globalAlpha = 0.6;
    const sides = [[left, bottom, left, top], [right, bottom, right, top], [left, bottom, right, bottom], [left, top, right, top]];
    sides.forEach(([fromX, fromY, toX, toY], side) => {
      const isWall = edges === "walls" && !open[side];
      pen.lineWidth = isWall ? 2 : 1.2;
      pen.setLineDash(isWall ? [] : [6, 4]);
      pen.beginPath();
      pen.moveTo(fromX, fromY);
      pen.lineTo(toX, toY);
      pen.stroke();
    });
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  /** Discs whose areas are the mean forces of contacts since the record before, on the floes that feel them. */
  drawForces({ camera, frame, poseOf, isThere, theme }) {
    const { pen } = this;
    const { kind } = this.run.bodies;
    const list = [];
    for (let i = 0; i < frame.count; i++) if (kind[i] === 0 && frame.contact_force[i] > 0 && isThere(i)) list.push(i);
    list.sort((a, b) => frame.contact_force[b] - frame.contact_force[a]);
    if (list.length === 0) return;
    const most = frame.contact_force[list[0]];
    pen.fillStyle = pen.strokeStyle = theme.css.mark;
    pen.lineWidth = 1;
    for (const i of list.slice(0, MOST_FORCES)) {
      const size = 18 * Math.sqrt(frame.contact_force[i] / most);
      if (size < 0.7) break;
      const [x, y] = poseOf(i), [px, py] = camera.toScreen(x, y);
      pen.beginPath();
      pen.arc(px, py, size, 0, 7);
      pen.globalAlpha = 0.3;
      pen.fill();
      pen.globalAlpha = 0.9;
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  /** Cracks where they opened: those of the last records as bright lines, older ones thin and fading. */
  drawCracks({ camera, cracks, theme, time, interval }) {
    const { pen } = this;
    for (let k = 0; k < cracks.count; k++) {
      const age = (time - cracks.times[k]) / interval;
      if (age < 0 || age >= FADED) continue;
      const isFresh = age < FRESH;
      pen.strokeStyle = isFresh ? theme.css.mark : theme.css.ink;
      pen.lineWidth = isFresh ? 2.5 : 0.8;
      pen.globalAlpha = isFresh ? 0.95 : 0.6 * (1 - age / FADED);
      pen.beginPath();
      pen.moveTo(...camera.toScreen(cracks.ends[4 * k], cracks.ends[4 * k + 1]));
      pen.lineTo(...camera.toScreen(cracks.ends[4 * k + 2], cracks.ends[4 * k + 3]));
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  drawContacts({ camera, contacts, theme }) {
    const { pen } = this;
    pen.fillStyle = theme.css.pick;
    const size = contacts.count > 3000 ? 1.5 : 2.5;
    for (let k = 0; k < contacts.count; k++) {
      const [px, py] = camera.toScreen(contacts.points[2 * k], contacts.points[2 * k + 1]);
      if (px < -5 || py < -5 || px > camera.width + 5 || py > camera.height + 5) continue;
      pen.beginPath();
      pen.arc(px, py, size, 0, 7);
      pen.fill();
    }
  }

  drawChosen({ camera, chosen, poseOf, isThere, theme, bodies }) {
    const { pen } = this;
    pen.strokeStyle = theme.css.pick;
    pen.lineWidth = 1.5;
    pen.globalAlpha = 0.85;
    for (const piece of chosen.path) {
      pen.beginPath();
      for (const point of piece) pen.lineTo(...camera.toScreen(...point));
      pen.stroke();
    }
    pen.globalAlpha = 1;
    if (!isThere(chosen.body)) return;
    pen.lineWidth = 2.5;
    const [x, y, c, s] = poseOf(chosen.body);
    const { vertices, ringStart, ringEnd } = bodies;
    pen.beginPath();
    for (let index = ringStart[chosen.body]; index < ringEnd[chosen.body]; index++) {
      const u = vertices[2 * index], v = vertices[2 * index + 1];
      pen.lineTo(...camera.toScreen(x + c * u - s * v, y + s * u + c * v));
    }
    pen.closePath();
    pen.stroke();
  }

  drawScaleBar({ camera, theme }) {
    const length = roundDown(Math.min(140, 0.3 * camera.width) / camera.scale);
    const pixels = length * camera.scale;
    const { pen } = this;
    const left = 14, y = camera.height - 16;
    pen.lineWidth = 5;
    pen.strokeStyle = theme.css.paper;
    const bar = () => {
      pen.beginPath();
      pen.moveTo(left, y - 5); pen.lineTo(left, y); pen.lineTo(left + pixels, y); pen.lineTo(left + pixels, y - 5);
      pen.stroke();
    };
    bar();
    pen.lineWidth = 2;
    pen.strokeStyle = theme.css.ink;
    bar();
    this.write(quantity(length, "m"), left + pixels / 2, y - 7, "center", theme);
  }

  drawWind({ camera, wind, theme }) {
    const speed = Math.hypot(...wind);
    const { pen } = this;
    const x = camera.width - 46, y = 44;
    if (!(speed > 0)) return;
    const length = 26 * Math.min(1, 0.35 + speed / 20);
    const [u, v] = [wind[0] / speed, -wind[1] / speed];
    const tip = [x + length * u, y + length * v], tail = [x - length * u, y - length * v];
    for (const [color, width] of [[theme.css.paper, 6], [theme.css.accent, 3]]) {
      pen.strokeStyle = color;
      pen.lineWidth = width;
      pen.beginPath();
      pen.moveTo(...tail); pen.lineTo(...tip);
      pen.moveTo(tip[0] - 9 * u + 6 * v, tip[1] - 9 * v - 6 * u);
      pen.lineTo(...tip);
      pen.lineTo(tip[0] - 9 * u - 6 * v, tip[1] - 9 * v + 6 * u);
      pen.stroke();
    }
    this.write(`wind ${speed.toFixed(1)} m/s`, camera.width - 12, y + 46, "right", theme);
  }

  write(text, x, y, align, theme) {
    const { pen } = this;
    pen.font = "12px system-ui, 'DejaVu Sans', sans-serif";
    pen.textAlign = align;
    pen.lineWidth = 3;
    pen.strokeStyle = theme.css.paper;
    pen.strokeText(text, x, y);
    pen.fillStyle = theme.css.ink;
    pen.fillText(text, x, y);
  }
}

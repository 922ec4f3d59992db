// Keeps the ice in view: the box round it, and when the camera has to move.

import { FILLED } from "./camera.js";

const SMALL = 0.4;  // ice that fills less of the view than this is shown larger when the camera follows it
const LOOSE = 0.8;  // of the view is filled when the camera follows the ice, so that it need not zoom all the time

const unite = (a, b) => ({
  min: [0, 1].map(axis => Math.min(a.min[axis], b.min[axis])),
  max: [0, 1].map(axis => Math.max(a.max[axis], b.max[axis])),
});

export class Framing {
  constructor(run, camera, renderer) {
    this.run = run;
    this.camera = camera;
    this.renderer = renderer;
  }

  /** A box round the bodies that are in the world and pass a test; null where there is none. */
  boxOf(isMeant) {
    const { renderer } = this, { radius, count } = renderer.bodies;
    let box = null;
    for (let i = 0; i < count; i++) {
      if (!isMeant(i) || !renderer.isThere(i)) continue;
      const [x, y] = renderer.pose(i), r = radius[i];
      box ??= { min: [Infinity, Infinity], max: [-Infinity, -Infinity] };
      box.min[0] = Math.min(box.min[0], x - r);
      box.min[1] = Math.min(box.min[1], y - r);
      box.max[0] = Math.max(box.max[0], x + r);
      box.max[1] = Math.max(box.max[1], y + r);
    }
    return box;
  }

  /** A box round all floes, or all bodies where none is a floe; null where there is nothing. */
  ice() {
    const { kind } = this.renderer.bodies;
    return this.boxOf(i => kind[i] === 0) ?? this.boxOf(() => true);
  }

  /** A box and what is near it, within its own size: land, and edges of the domain. */
  surround(box) {
    const size = Math.max(box.max[0] - box.min[0], box.max[1] - box.min[1]);
    const near = { min: box.min.map(v => v - size), max: box.max.map(v => v + size) };
    let seen = box;
    const { bodies } = this.renderer;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.kind[i] === 0 || !this.renderer.isThere(i)) continue;
      const land = this.outlineBox(i);
      const isNear = [0, 1].every(axis => land.min[axis] < near.max[axis] && land.max[axis] > near.min[axis]);
      if (isNear) seen = unite(seen, { min: land.min.map((v, k) => Math.max(v, near.min[k])), max: land.max.map((v, k) => Math.min(v, near.max[k])) });
    }
    const { rectangle } = this.run.scene.domain;
    if (rectangle) {
      seen = {
        min: seen.min.map((v, k) => (rectangle.min[k] > near.min[k] ? Math.min(v, rectangle.min[k]) : v)),
        max: seen.max.map((v, k) => (rectangle.max[k] < near.max[k] ? Math.max(v, rectangle.max[k]) : v)),
      };
    }
    return seen;
  }

  outlineBox(body) {
    const { vertices, ringStart, ringEnd } = this.renderer.bodies;
    const [x, y, c, s] = this.renderer.pose(body);
    const min = [Infinity, Infinity], max = [-Infinity, -Infinity];
    for (let k = ringStart[body]; k < ringEnd[body]; k++) {
      const u = vertices[2 * k], v = vertices[2 * k + 1];
      [x + c * u - s * v, y + s * u + c * v].forEach((value, axis) => {
        min[axis] = Math.min(min[axis], value);
        max[axis] = Math.max(max[axis], value);
      });
    }
    return { min, max };
  }

  /** Fits the view to the ice that is there, and to what is near it. */
  fit(isFollowing) {
    const box = this.ice();
    if (box) this.camera.extent = isFollowing ? box : this.surround(box);
    this.camera.fit(isFollowing ? LOOSE : FILLED);
  }

  /** The first view: the ice of the whole run where one view shows it, and of the first record else. */
  open() {
    const { domain, extent, follows_ice } = this.run.scene;
    this.camera.extent = domain.rectangle || follows_ice ? extent : this.surround(extent);
    this.camera.fit(follows_ice ? LOOSE : FILLED);
  }

  /** Moves the camera by what the centre of mass of the ice has moved since the last picture. */
  follow() {
    const { kind, area, count } = this.renderer.bodies;
    let weight = 0, x = 0, y = 0;
    for (let i = 0; i < count; i++) {
      if (kind[i] !== 0 || !this.renderer.isThere(i)) continue;
      const pose = this.renderer.pose(i);
      weight += area[i];
      x += area[i] * pose[0];
      y += area[i] * pose[1];
    }
    if (weight === 0) return;
    const before = this.followed;
    this.followed = [x / weight, y / weight];
    if (before) this.camera.shift(this.followed[0] - before[0], this.followed[1] - before[1]);
  }

  /** Forgets where the ice was: the camera stays until it moves on. */
  forget() { this.followed = undefined; }

  /** How the ice lies in the view: whether some of it is out of sight, and whether it fills only a small part. */
  check() {
    const box = this.ice(), { camera } = this;
    if (!box) return { isOut: false, isSmall: false };
    const [left, top] = camera.toScreen(box.min[0], box.max[1]), [right, bottom] = camera.toScreen(box.max[0], box.min[1]);
    return {
      isOut: left < -1 || top < -1 || right > camera.width + 1 || bottom > camera.height + 1,
      isSmall: Math.max((right - left) / camera.width, (bottom - top) / camera.height) < SMALL,
    };
  }
}

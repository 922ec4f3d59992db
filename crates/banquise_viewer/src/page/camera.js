// Which part of the sea is seen. Places are metres from the scene's origin, y to the north.

export const FILLED = 0.92; // share of the view that the extent fills

export class Camera {
  constructor(extent) {
    this.extent = extent;
    this.x = 0; this.y = 0;
    this.scale = 1; // CSS pixels a metre
    this.width = 1; this.height = 1;
    this.isUntouched = true;
    this.share = FILLED;
  }

  resize(width, height) {
    this.width = Math.max(width, 1);
    this.height = Math.max(height, 1);
    if (this.isUntouched) this.fit();
  }

  /** Shows all of the extent, on a share of the view. */
  fit(share = this.share) {
    this.share = share;
    const { min, max } = this.extent;
    this.x = (min[0] + max[0]) / 2;
    this.y = (min[1] + max[1]) / 2;
    const size = [Math.max(max[0] - min[0], 1e-9), Math.max(max[1] - min[1], 1e-9)];
    this.scale = share * Math.min(this.width / size[0], this.height / size[1]);
    this.limits = [this.scale / 50, this.scale * 1e5];
    this.isUntouched = true;
  }

  toScreen(x, y) {
    return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 - (y - this.y) * this.scale];
  }

  toSea(px, py) {
    return [this.x + (px - this.width / 2) / this.scale, this.y - (py - this.height / 2) / this.scale];
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
    this.isUntouched = false;
  }

  /** Moves by metres, and what is fitted with it. */
  shift(dx, dy) {
    this.x += dx;
    this.y += dy;
    const { min, max } = this.extent;
    this.extent = { min: [min[0] + dx, min[1] + dy], max: [max[0] + dx, max[1] + dy] };
  }

  center(x, y) {
    this.x = x;
    this.y = y;
    this.isUntouched = false;
  }

  /** Shows a point in the middle, and so many metres across. */
  show(x, y, across) {
    this.center(x, y);
    this.scale = Math.min(Math.max(this.width / across, this.limits[0]), this.limits[1]);
  }

  /** Zooms so that what is under the pointer stays there. */
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.toSea(px, py);
    this.scale = Math.min(Math.max(this.scale * factor, this.limits[0]), this.limits[1]);
    this.x = x - (px - this.width / 2) / this.scale;
    this.y = y + (py - this.height / 2) / this.scale;
    this.isUntouched = false;
  }
}

/** Mouse, touch and wheel on an element move the camera; a press that does not move is a click. */
export function steer(element, camera, changed, clicked) {
  const pointers = new Map();
  let travelled = 0;
  const place = event => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  element.addEventListener("pointerdown", event => {
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, place(event));
    if (pointers.size === 1) travelled = 0;
    element.classList.add("dragging");
  });
  element.addEventListener("pointermove", event => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    travelled += Math.hypot(dx, dy);
    const others = [...pointers].filter(([id]) => id !== event.pointerId);
    if (others.length > 0) {
      const other = others[0][1];
      const distance = point => Math.max(Math.hypot(point[0] - other[0], point[1] - other[1]), 1);
      camera.zoom(distance(now) / distance(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
      camera.pan(dx / 2, dy / 2);
    } else if (travelled > 4) {
      camera.pan(dx, dy);
    }
    pointers.set(event.pointerId, now);
    changed();
  });
  const lift = event => {
    if (!pointers.delete(event.pointerId)) return;
    if (pointers.size === 0) element.classList.remove("dragging");
    if (event.type === "pointerup" && travelled <= 4) clicked(...place(event));
  };
  element.addEventListener("pointerup", lift);
  element.addEventListener("pointercancel", lift);
  element.addEventListener("wheel", event => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    camera.zoom(Math.exp(-0.0015 * lines * event.deltaY), ...place(event));
    changed();
  }, { passive: false });
}

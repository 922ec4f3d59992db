// The page: what is shown, when, and what keys and buttons do.

import { Camera, steer } from "./camera.js";
import { Charts } from "./charts.js";
import { FIELDS, Painter, ramp } from "./colours.js";
import { LiveControls } from "./live.js";
import { Overlay } from "./overlay.js";
import { Renderer } from "./renderer.js";
import { Lost, Run } from "./run.js";
import { area, date, digits, duration, niceSpans, quantity, span } from "./text.js";

const $ = id => document.getElementById(id);
const AHEAD = 6; // frames fetched before they are shown

class Page {
  constructor(run) {
    this.run = run;
    this.time = run.times[0] ?? 0;
    this.isPlaying = false;
    this.isFollowing = run.state.live;
    this.field = "speed";
    this.rate = 1;
    this.camera = new Camera(run.scene.extent);
    this.painter = new Painter(run);
    this.renderer = new Renderer($("ice"), run);
    this.overlay = new Overlay($("over"), run);
    this.charts = new Charts($("charts"), time => this.goTo(time));
    this.chosen = null;
    this.contacts = null;
    this.frameTimes = [];
    this.listen();
    this.readTheme();
    this.resize();
    this.fillSelects();
    $("title").textContent = run.scene.title;
    document.title = `${run.scene.title} · Banquise`;
    $("report").hidden = !run.state.report;
    // In a sea with edges the ice stays where it is seen.
    $("follow-label").hidden = run.scene.domain.rectangle !== null;
    // With neither edges nor land there is nothing else to stay with.
    $("follow-ice").checked = run.scene.domain.rectangle === null && run.scene.floes === run.scene.bodies && run.state.live;
    if (run.state.live) {
      this.live = new LiveControls(run, error => this.tell(error), () => this.follow());
    }
    this.showState();
    this.loadCharts();
    this.keepUp();
    this.want();
  }

  // --- what is shown -------------------------------------------------------------------------------------------

  /** Asks for a picture; many wishes in one picture's time are one. */
  want() {
    if (this.isWanted) return;
    this.isWanted = true;
    requestAnimationFrame(now => {
      this.isWanted = false;
      this.tick(now);
    });
  }

  tick(now) {
    const begun = performance.now();
    if (this.isPlaying) this.advance(Math.min(now - (this.ticked ?? now), 100) / 1000);
    this.ticked = now;
    const pair = this.frames();
    if (pair) this.draw(pair);
    if (this.isPlaying) this.want();
    this.frameTimes.push(performance.now() - begun);
    if (this.frameTimes.length > 600) this.frameTimes.shift();
  }

  /** Moves the clock, unless the frames it needs are still on their way. */
  advance(seconds) {
    const { run } = this;
    const record = run.recordAt(this.time);
    for (let k = record; k <= Math.min(record + AHEAD, run.last); k++) run.fetch(k);
    if (!run.held(record) || !run.held(Math.min(record + 1, run.last))) return;
    const end = run.times[run.last];
    this.time = Math.min(this.time + seconds * this.rate, end);
    if (this.time >= end && !(run.state.live && run.state.status === "running")) this.play(false);
    this.showTime();
  }

  /** The frames before and after the time; the last ones that were here while they are on their way. */
  frames() {
    const { run } = this;
    const record = run.recordAt(this.time), next = Math.min(record + 1, run.last);
    const wanted = [record, next].filter(k => !run.held(k));
    for (const k of wanted) run.fetch(k).then(() => this.want(), error => this.tell(error));
    if (wanted.length > 0) return this.shown;
    const from = run.held(record), to = run.held(next);
    const length = to.time - from.time;
    const mix = length > 0 ? Math.min(Math.max((this.time - from.time) / length, 0), 1) : 0;
    return { from, to, mix };
  }

  draw({ from, to, mix }) {
    this.look(from);
    const isOther = this.shown?.from !== from;
    this.shown = { from, to, mix };
    if (isOther) this.showState();
    const { camera, painter, field, theme, contacts } = this;
    if ($("follow-ice").checked) {
      this.renderer.setTime({ from, to, mix, field, painter });
      this.followIce();
    }
    this.renderer.setRamp(field, ramp(FIELDS[field]));
    this.renderer.draw({ camera, from, to, mix, field, painter, theme, outlines: $("show-outlines").checked });
    const poseOf = body => this.poseOf(body), isThere = body => this.renderer.isThere(body);
    const near = mix < 0.5 ? from : to;
    this.overlay.draw({
      camera, theme, poseOf, isThere, bodies: this.renderer.bodies, frame: near, chosen: this.chosen, wind: near.wind,
      forces: $("show-forces").checked,
      // While the film plays, those of the record before may still be shown.
      contacts: $("show-contacts").checked && Math.abs(contacts?.record - from.record) <= 1 ? contacts : null,
    });
    this.live?.showWind(near.wind);
    this.showLegend();
    this.charts.draw(this.time, theme);
  }

  /** Colours mean the same from the start to the end of a run that is over. */
  async settleColours() {
    try {
      const ranges = await this.run.ranges();
      if (ranges) this.painter.settle(ranges, this.run.times[this.run.last]);
    } catch (error) {
      this.tell(error);
    }
    this.want();
  }

  /** A new record is in sight: what belongs to it is asked for. */
  look(frame) {
    if ($("show-contacts").checked && this.contacts?.record !== frame.record && !this.isAskingContacts) {
      this.isAskingContacts = true;
      this.run.contacts(frame.record)
        .catch(error => {
          this.tell(error);
          return { record: frame.record, count: 0, points: [], pairs: [] };
        })
        .then(contacts => { this.contacts = contacts; })
        .finally(() => { this.isAskingContacts = false; this.want(); });
    }
    if (this.chosen && this.chosen.record !== frame.record && !this.isAskingFloe) this.choose(this.chosen.body, frame.record);
  }

  /** Where a body is drawn: x, y, cosine and sine of its heading. */
  poseOf(body) { return this.renderer.pose(body); }

  /** Shows all the ice: in a run that goes on, where it is now. */
  showAll() {
    const { live } = this.run.state, { rectangle } = this.run.scene.domain;
    if (live && rectangle === null && this.shown && this.run.scene.floes > 0) this.camera.extent = this.iceExtent();
    this.camera.fit();
  }

  iceExtent() {
    const { kind, radius, count } = this.renderer.bodies;
    const min = [Infinity, Infinity], max = [-Infinity, -Infinity];
    for (let i = 0; i < count; i++) {
      if (kind[i] !== 0 || !this.renderer.isThere(i)) continue;
      const pose = this.poseOf(i);
      for (const axis of [0, 1]) {
        min[axis] = Math.min(min[axis], pose[axis] - radius[i]);
        max[axis] = Math.max(max[axis], pose[axis] + radius[i]);
      }
    }
    // A sea without floes is seen as before.
    return min[0] < max[0] ? { min, max } : this.camera.extent;
  }

  /** Moves the camera with the middle of the floes. */
  followIce() {
    const { kind, area: areas, count } = this.renderer.bodies;
    let weight = 0, x = 0, y = 0;
    for (let i = 0; i < count; i++) {
      if (kind[i] !== 0 || !this.renderer.isThere(i)) continue;
      const pose = this.poseOf(i);
      weight += areas[i];
      x += areas[i] * pose[0];
      y += areas[i] * pose[1];
    }
    if (weight === 0) return;
    const before = this.followed;
    this.followed = [x / weight, y / weight];
    if (before) this.camera.shift(this.followed[0] - before[0], this.followed[1] - before[1]);
    else this.camera.center(...this.followed);
  }

  showTime() {
    const { run } = this;
    const day = run.scene.start ? date(run.scene.start, this.time) : null;
    $("clock").textContent = day ? `${day} · ${duration(this.time)}` : duration(this.time);
    const record = run.recordAt(this.time);
    $("slider").max = Math.max(run.last, 0);
    $("slider").value = record;
    $("slider").setAttribute("aria-valuetext", duration(this.time));
  }

  showLegend() {
    const field = FIELDS[this.field], [low, high] = this.painter.range(this.field);
    const key = `${this.field} ${low} ${high} ${this.painter.isStretched}`;
    if (this.legendKey === key) return;
    this.legendKey = key;
    $("legend-name").textContent = field.label;
    const bare = field.isPlain || field.isName;
    // Ends that are close to each other need more digits to differ.
    const count = high - low < 0.05 * Math.abs(high) ? 6 : 3;
    $("legend-low").textContent = bare ? "" : quantity(low, field.unit, count);
    const isOpen = this.painter.open.has(this.field) && !this.painter.isStretched;
    $("legend-high").textContent = bare ? "" : `${isOpen ? "≥ " : ""}${quantity(high, field.unit, count)}`;
    const bar = $("legend-bar");
    bar.hidden = field.isPlain === true;
    bar.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(ramp(field)), 256, 1), 0, 0);
  }

  showState() {
    const { scene, state, times } = this.run;
    const isGoing = state.live && state.status === "running";
    const word = this.isLost ? "connection lost" : isGoing && state.paused ? "paused" : state.status;
    const end = times.length ? times[times.length - 1] : 0;
    const floes = this.shown ? this.run.floesIn(this.shown.from) : scene.floes;
    $("status").textContent = `${floes} floes · ${word} · ${span(end)} of ${span(scene.duration_s)}`;
    if (state.failure) this.notice(state.failure);
    this.live?.show(state);
    this.showTime();
  }

  notice(text) { $("notice").textContent = text; }

  /** Shows what went wrong; without a server a run does not go on. */
  tell(error) {
    this.notice(error.message);
    if (!(error instanceof Lost) || this.isLost) return;
    this.isLost = true;
    this.live?.end();
    if (this.isPlaying) this.play(false);
    // What was on its way will not come.
    if (this.shown) this.time = this.run.times[this.shown.from.record];
    this.showState();
  }

  // --- the run goes on -----------------------------------------------------------------------------------------

  /** Hears what is new of a run that goes on. */
  async keepUp() {
    const { run } = this;
    let charted = 0;
    while (run.state.status === "running") {
      try {
        await run.refresh();
      } catch (error) {
        this.tell(error);
        return;
      }
      this.fillSpeeds();
      if (this.isFollowing && run.last >= 0) {
        this.time = run.times[run.last];
        run.fetch(run.last).then(() => this.want(), () => this.want());
      }
      this.showState();
      if (performance.now() - charted > 1000) {
        charted = performance.now();
        this.loadCharts();
      }
      this.want();
      if (!run.state.live) await new Promise(done => setTimeout(done, 2000));
    }
    this.showState();
    this.loadCharts();
    this.settleColours();
  }

  async loadCharts() {
    try {
      this.charts.show(await this.run.charts());
    } catch (error) {
      this.tell(error);
    }
    this.want();
  }

  follow() {
    this.play(false);
    this.isFollowing = true;
    this.time = this.run.times[this.run.last];
    this.showTime();
    this.want();
  }

  // --- time ----------------------------------------------------------------------------------------------------

  play(isPlaying) {
    const { run } = this;
    if (isPlaying && this.time >= run.times[run.last]) this.time = run.times[0];
    if (isPlaying) this.isFollowing = false;
    this.isPlaying = isPlaying;
    this.ticked = undefined;
    $("play").textContent = isPlaying ? "❚❚" : "▶";
    this.want();
  }

  goTo(time) {
    this.isFollowing = false;
    this.time = Math.min(Math.max(time, this.run.times[0]), this.run.times[this.run.last]);
    this.showTime();
    this.want();
  }

  goToRecord(record) {
    this.goTo(this.run.times[Math.min(Math.max(record, 0), this.run.last)]);
  }

  step(records) {
    this.play(false);
    const record = this.run.recordAt(this.time);
    // Between two records, back is the one before the time.
    const isBetween = this.time > this.run.times[record];
    this.goToRecord(records < 0 && isBetween ? record : record + records);
  }

  // --- floes ---------------------------------------------------------------------------------------------------

  /** The body under a point of the screen, or null. */
  bodyAt(px, py) {
    if (!this.shown) return null;
    const [x, y] = this.camera.toSea(px, py);
    const { bodies } = this.renderer;
    const [, , width, height] = this.renderer.cell;
    let found = null;
    for (let body = 0; body < bodies.count; body++) {
      if (!this.renderer.isThere(body)) continue;
      const [cx, cy, c, s] = this.poseOf(body);
      let dx = x - cx, dy = y - cy;
      if (width > 0) { dx -= width * Math.round(dx / width); dy -= height * Math.round(dy / height); }
      if (dx * dx + dy * dy > bodies.radius[body] ** 2) continue;
      const isInside = contains(bodies, body, c * dx + s * dy, -s * dx + c * dy);
      // Floes lie on top of obstacles, as they are drawn.
      if (isInside && (found === null || bodies.kind[found] === 1)) found = body;
    }
    return found;
  }

  async choose(body, record = this.run.recordAt(this.time)) {
    const wish = this.wish = {};
    this.isAskingFloe = body !== null;
    let numbers = null;
    try {
      if (body !== null) numbers = await this.run.floe(body, record);
    } catch (error) {
      this.tell(error);
    }
    // The reader may have chosen another one, or none, meanwhile.
    if (this.wish !== wish) return;
    this.isAskingFloe = false;
    this.chosen = numbers && { body, record, path: numbers.path };
    $("floe").hidden = numbers === null;
    if (numbers) this.showFloe(numbers);
    this.want();
  }

  showFloe(floe) {
    const kind = floe.is_obstacle ? "Obstacle" : "Floe";
    $("floe-name").textContent = floe.name ? `${floe.name} (${kind.toLowerCase()} ${floe.id})` : `${kind} ${floe.id}`;
    const speed = Math.hypot(...floe.velocity_m_s);
    const lives = [];
    if (floe.born_s > 0) lives.push(["born", duration(floe.born_s)]);
    if (floe.gone_s !== null) lives.push(["gone", duration(floe.gone_s)]);
    if (floe.parent >= 0) lives.push(["piece of", `floe ${floe.parent} (generation ${floe.generation})`]);
    const motion = [
      ["position", `${quantity(floe.position_m[0], "m")}, ${quantity(floe.position_m[1], "m")}`],
      ["heading", `${digits(floe.heading_rad * 180 / Math.PI)}°`],
      ["speed", `${digits(speed)} m/s`],
      ["velocity", `${digits(floe.velocity_m_s[0])}, ${digits(floe.velocity_m_s[1])} m/s`],
      ["rotation", `${digits(floe.angular_velocity_rad_s * 180 / Math.PI * 3600)} °/h`],
    ];
    const forces = [
      ["impulse so far", quantity(floe.impulse_n_s, "N s")],
      ["contact force", quantity(floe.contact_force_n, "N")],
      ["mean pressure", quantity(floe.pressure_pa ?? NaN, "Pa")],
    ];
    const rows = [
      // One that is not in the world has no place and feels nothing.
      ...(floe.is_there ? motion : [["", "not in the world at this time"]]),
      ["area", area(floe.area_m2)],
      ["thickness", quantity(floe.thickness_m ?? NaN, "m")],
      ["mass", quantity(floe.mass_kg ?? NaN, "kg")],
      ["corners", floe.disc_radius_m ? `disc of ${quantity(floe.disc_radius_m, "m")}` : String(floe.vertices)],
      ...(floe.is_there ? forces : []),
      ...lives,
    ];
    $("floe-numbers").replaceChildren(...rows.flatMap(([name, text]) => {
      const term = document.createElement("dt"), detail = document.createElement("dd");
      term.textContent = name;
      detail.textContent = text;
      return [term, detail];
    }));
  }

  // --- what the reader does ------------------------------------------------------------------------------------

  listen() {
    steer($("over"), this.camera, () => this.want(), (px, py) => this.choose(this.bodyAt(px, py)));
    $("zoom-in").addEventListener("click", () => { this.camera.zoom(1.5); this.want(); });
    $("zoom-out").addEventListener("click", () => { this.camera.zoom(1 / 1.5); this.want(); });
    $("zoom-all").addEventListener("click", () => { this.showAll(); this.want(); });
    $("play").addEventListener("click", () => this.play(!this.isPlaying));
    $("back").addEventListener("click", () => this.step(-1));
    $("forth").addEventListener("click", () => this.step(1));
    $("slider").addEventListener("input", () => { this.play(false); this.goToRecord(Number($("slider").value)); });
    $("field").addEventListener("change", () => { this.field = $("field").value; this.want(); });
    $("stretch").addEventListener("change", () => { this.painter.isStretched = $("stretch").checked; this.want(); });
    $("speed").addEventListener("change", () => { this.rate = Number($("speed").value); });
    $("floe-close").addEventListener("click", () => this.choose(null));
    $("theme").addEventListener("click", () => this.turnTheme());
    for (const id of ["show-outlines", "show-contacts", "show-forces"]) {
      $(id).addEventListener("change", () => this.want());
    }
    $("follow-ice").addEventListener("change", () => { this.followed = undefined; this.want(); });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.readTheme());
    new ResizeObserver(() => this.resize()).observe($("sea"));
    document.addEventListener("keydown", event => this.key(event));
    $("ice").addEventListener("webglcontextlost", event => event.preventDefault());
    $("ice").addEventListener("webglcontextrestored", () => { this.renderer.setUp(); this.want(); });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { tagName, type } = event.target;
    const isTyping = (tagName === "INPUT" && type === "number") || tagName === "SELECT";
    if (isTyping || (tagName === "BUTTON" && event.key === " ")) return;
    const pan = event.shiftKey ? { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key] : null;
    const actions = {
      " ": () => (this.live && this.run.state.status === "running" ? this.live.toggle() : this.play(!this.isPlaying)),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      ArrowUp: () => this.changeSpeed(1),
      ArrowDown: () => this.changeSpeed(-1),
      "+": () => this.camera.zoom(1.25),
      "=": () => this.camera.zoom(1.25),
      "-": () => this.camera.zoom(1 / 1.25),
      Home: () => this.showAll(),
      End: () => this.goToRecord(this.run.last),
      Escape: () => this.choose(null),
      t: () => this.turnTheme(),
    };
    const action = pan ? () => this.camera.pan(...pan) : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
    this.want();
  }

  changeSpeed(by) {
    const select = $("speed");
    select.selectedIndex = Math.min(Math.max(select.selectedIndex + by, 0), select.length - 1);
    this.rate = Number(select.value);
  }

  fillSelects() {
    for (const [name, field] of Object.entries(FIELDS)) $("field").add(new Option(field.label, name));
    this.fillSpeeds();
  }

  /** From the whole run in two minutes to the whole run in two seconds. */
  fillSpeeds() {
    const length = this.run.state.live ? this.run.scene.duration_s : this.run.times[this.run.last] - this.run.times[0];
    if (this.speedsFor === length || !(length > 0)) return;
    this.speedsFor = length;
    const rates = niceSpans().filter(rate => rate >= length / 150 && rate <= length / 2);
    const chosen = rates.findLast(rate => rate <= length / 20) ?? rates[0];
    $("speed").replaceChildren(...rates.map(rate => new Option(`${span(rate)}/s`, rate, false, rate === chosen)));
    this.rate = chosen;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = $("sea");
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.camera.resize(width, height);
    this.renderer.resize(width, height, ratio);
    this.overlay.resize(width, height, ratio);
    this.want();
  }

  turnTheme() {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem("banquise-theme", next);
    this.readTheme();
  }

  readTheme() {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const kept = localStorage.getItem("banquise-theme");
    document.documentElement.dataset.theme = kept ?? (isDark ? "dark" : "light");
    const style = getComputedStyle(document.documentElement);
    const css = Object.fromEntries(["paper", "ink", "muted", "line", "accent", "mark", "pick"].map(name => [name, style.getPropertyValue(`--${name}`).trim()]));
    const rgb = name => {
      const text = style.getPropertyValue(`--${name}`).trim();
      return [1, 3, 5].map(k => parseInt(text.slice(k, k + 2), 16) / 255);
    };
    this.theme = { css, land: rgb("land"), landEdge: rgb("land-edge"), edge: rgb("edge"), unknown: rgb("unknown") };
    this.want?.();
  }

  /** Milliseconds for each of some pictures of a moving camera, the graphics card included. */
  measure(count) {
    const times = [];
    for (let k = 0; k < count && this.shown; k++) {
      const begun = performance.now();
      this.camera.pan(k % 2 ? 3 : -3, 0);
      this.camera.zoom(k % 4 < 2 ? 1.01 : 1 / 1.01);
      this.draw(this.shown);
      this.renderer.finish();
      times.push(performance.now() - begun);
    }
    return times;
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

try {
  window.banquise = new Page(await Run.open());
} catch (error) {
  $("notice").textContent = error.message;
  $("status").textContent = "";
}

// The page: what is shown, when, and what keys and buttons do.

import { Address, readAddress } from "./address.js";
import { Camera, steer } from "./camera.js";
import { showFloe } from "./card.js";
import { Charts } from "./charts.js";
import { FIELDS, MAPS, Painter, RANGES, mapOf, ramp } from "./colours.js";
import { Framing } from "./framing.js";
import { degrees } from "./geography.js";
import { LiveControls } from "./live.js";
import { Overlay } from "./overlay.js";
import { Renderer } from "./renderer.js";
import { Lost, Run } from "./run.js";
import { Film, Picture, fileName } from "./save.js";
import { date, duration, niceSpans, quantity, span } from "./text.js";

const $ = id => document.getElementById(id);
const AHEAD = 6; // frames fetched before they are shown
const FEW_TRAILS = 400; // floes: trails of more are shown when the reader asks for them
const FOUND = 40; // pixels from centre to rim of a floe that was looked for, at least
const MARKS = ["outlines", "trails", "arrows", "graticule", "contacts", "forces", "cracks"];

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
    this.framing = new Framing(run, this.camera, this.renderer);
    this.overlay = new Overlay($("under"), $("over"), run);
    this.picture = new Picture();
    this.address = new Address(() => this.words());
    this.charts = new Charts($("charts"), time => this.goTo(time));
    this.chosen = null;
    this.contacts = null;
    this.weather = null;
    this.trails = null;
    this.fastest = 0; // metres a second: the speed of the longest arrow
    this.frameTimes = [];
    this.listen();
    this.readTheme();
    this.resize();
    this.fillSelects();
    $("title").textContent = run.scene.title;
    document.title = `${run.scene.title} · Banquise`;
    $("report").hidden = !run.state.report;
    // In a domain with edges the ice stays where it is seen.
    $("follow-label").hidden = run.scene.domain.rectangle !== null;
    $("follow-ice").checked = run.scene.follows_ice;
    $("show-trails").checked = run.scene.floes <= FEW_TRAILS;
    this.apply(readAddress());
    if (run.state.live) {
      this.live = new LiveControls(run, error => this.tell(error), () => this.follow());
    }
    this.showState();
    this.loadCharts();
    this.loadTrails();
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
    this.renderer.setTime({ from, to, mix, field, painter });
    this.frameIce();
    this.renderer.setRamp(`${field} ${this.map}`, ramp(FIELDS[field], this.map));
    this.renderer.draw({ camera, from, to, mix, field, painter, theme, outlines: this.shows("outlines") });
    const poseOf = body => this.poseOf(body), isThere = body => this.renderer.isThere(body);
    const near = mix < 0.5 ? from : to;
    this.overlay.draw({
      camera, theme, poseOf, isThere, bodies: this.renderer.bodies, frame: near, chosen: this.chosen, wind: near.wind, time: from.time + mix * (to.time - from.time),
      cell: this.renderer.cell, forces: this.shows("forces"), graticule: this.shows("graticule"), arrows: this.shows("arrows"),
      trails: this.shows("trails") ? this.trails : null, field: this.fieldOf(near), fastest: this.fastestIn(from),
      // While the film plays, those of the record before may still be shown.
      cracks: this.shows("cracks") ? this.run.cracks : null, interval: this.run.times.at(-1) / Math.max(this.run.last, 1),
      contacts: this.shows("contacts") && Math.abs(contacts?.record - from.record) <= 1 ? contacts : null,
    });
    this.live?.showWind(near.wind);
    this.showLegend();
    this.showCursor();
    this.charts.draw(this.time, theme);
    if (this.film) this.compose();
    if (!this.isPlaying) this.address.touch();
  }

  shows(mark) { return $(`show-${mark}`).checked; }

  /** Keeps the ice in view, unless the reader has moved the camera. */
  frameIce() {
    const { framing, camera } = this, follow = $("follow-ice");
    if (!this.isOpened) {
      this.isOpened = true;
      framing.open();
      this.lookAt(readAddress().view);
    }
    if (follow.checked) framing.follow();
    if (!camera.isUntouched || this.run.scene.domain.rectangle) return;
    const { isOut, isSmall } = framing.check();
    if (isOut) follow.checked = true;
    if (isOut || (isSmall && follow.checked)) framing.fit(true);
  }

  /** The arrows of wind or current that the reader wants; null for none, or while they are on their way. */
  fieldOf(frame) {
    const name = $("weather").value, at = this.weather?.[name];
    if (!name) return null;
    if (!this.run.scene.weather_differs || at?.x.length === 0) return { name, uniform: name === "wind" ? frame.wind : frame.water };
    return at ? { name, at } : null;
  }

  /** The speed of the longest arrow: of the whole run where it is known, and of what was seen so far else. */
  fastestIn(frame) {
    const whole = this.painter.whole.get("speed");
    if (whole) return whole.robust[1];
    for (let i = 0; i < frame.count; i++) this.fastest = Math.max(this.fastest, Math.hypot(frame.velocity_x[i], frame.velocity_y[i]) || 0);
    return this.fastest;
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
      this.run.contacts(frame)
        .catch(error => {
          this.tell(error);
          return { record: frame.record, count: 0, points: [], pairs: [] };
        })
        .then(contacts => { this.contacts = contacts; })
        .finally(() => { this.isAskingContacts = false; this.want(); });
    }
    // A recording that is over tells all of them at once.
    const wantsCracks = this.shows("cracks") && (this.run.state.status === "running" || this.run.state.live || !this.run.cracks);
    if (wantsCracks && this.cracksOf !== frame.record && !this.isAskingCracks) {
      this.isAskingCracks = true;
      this.cracksOf = frame.record;
      this.run.moreCracks().catch(error => this.tell(error)).finally(() => { this.isAskingCracks = false; this.want(); });
    }
    const wantsWeather = $("weather").value && this.run.scene.weather_differs && this.weather?.record !== frame.record;
    if (wantsWeather && !this.isAskingWeather) {
      this.isAskingWeather = true;
      this.run.weather(frame)
        .then(weather => { this.weather = weather; }, error => this.tell(error))
        .finally(() => { this.isAskingWeather = false; this.want(); });
    }
    if (this.chosen && this.chosen.record !== frame.record && !this.isAskingFloe) this.choose(this.chosen.body, frame);
  }

  /** Where a body is drawn: x, y, cosine and sine of its heading. */
  poseOf(body) { return this.renderer.pose(body); }

  /** Fits the view to the ice that is there now. */
  showAll() { this.framing.fit($("follow-ice").checked); }

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
    const isOpen = this.painter.isOpen(this.field);
    const key = `${this.field} ${this.map} ${low} ${high} ${isOpen}`;
    if (this.legendKey === key) return;
    this.legendKey = key;
    $("legend-name").textContent = field.isLog ? `${field.label}, log scale` : field.label;
    const bare = field.isPlain || field.isName;
    // Ends that are close to each other need more digits to differ.
    const count = high - low < 0.05 * Math.abs(high) ? 6 : 3;
    $("legend-low").textContent = bare ? "" : `${field.isLog ? "≤ " : ""}${quantity(low, field.unit, count)}`;
    $("legend-high").textContent = bare ? "" : `${isOpen ? "≥ " : ""}${quantity(high, field.unit, count)}`;
    const bar = $("legend-bar");
    bar.hidden = field.isPlain === true;
    bar.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(ramp(field, this.map)), 256, 1), 0, 0);
    // Angles, numbers and plain ice have colours of their own.
    $("scale-row").hidden = mapOf(field) === null;
    $("color-map").title = `Automatic is ${mapOf(field, "")} here`;
    if (this.painter.mode !== "given" || document.activeElement?.type !== "number") {
      [$("range-low").value, $("range-high").value] = [low, high].map(value => Number(value.toPrecision(4)));
    }
  }

  /** Where the pointer is: metres of the scenario, degrees where they are known, and the floe. */
  showCursor() {
    const { cursor, run } = this;
    $("cursor").hidden = !cursor;
    if (!cursor) return;
    const [x, y] = this.camera.toSea(...cursor), [left, bottom] = run.scene.origin_m, { earth } = this.overlay;
    const unit = this.camera.width / this.camera.scale > 5000 ? ["km", 1000, 2] : ["m", 1, 1];
    const [name, size, decimals] = unit;
    const parts = [`x ${((x + left) / size).toFixed(decimals)}, y ${((y + bottom) / size).toFixed(decimals)} ${name}`.replaceAll("-", "−")];
    if (earth) {
      const [longitude, latitude] = earth.toDegrees(x + left, y + bottom);
      parts.push(`${degrees(latitude, 3, "NS")}, ${degrees(longitude, 3, "EW")}`);
    }
    const body = this.shown ? this.renderer.bodyAt(x, y) : null;
    if (body !== null) parts.push(run.scene.names[body] ?? `${run.bodies.kind[body] ? "obstacle" : "floe"} ${body}`);
    $("cursor").textContent = parts.join(" · ");
  }

  showState() {
    const { scene, state, times } = this.run;
    const isGoing = state.live && state.status === "running";
    const word = this.isLost ? "connection lost" : isGoing && state.paused ? "paused" : state.status;
    const end = times.length ? times[times.length - 1] : 0;
    const floes = this.shown ? this.run.floesIn(this.shown.from) : scene.floes;
    $("status").textContent = `${floes} ${floes === 1 ? "floe" : "floes"} · ${word} · ${span(end)} of ${span(scene.duration_s)}`;
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
    if (this.shown) this.time = this.run.times[this.shown.from.record] ?? this.time;
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
        this.loadTrails();
      }
      this.want();
      if (!run.state.live) await new Promise(done => setTimeout(done, 2000));
    }
    this.showState();
    this.loadCharts();
    this.loadTrails();
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

  /** Asks where the floes were, if the reader wants to see it. */
  async loadTrails() {
    if (!this.shows("trails") || this.isAskingTrails) return;
    this.isAskingTrails = true;
    try {
      this.trails = await this.run.trails();
    } catch (error) {
      this.tell(error);
    }
    this.isAskingTrails = false;
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
    if (!isPlaying) this.endFilm();
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

  async choose(body, place = this.run.placeOf(this.run.recordAt(this.time))) {
    const wish = this.wish = {};
    this.isAskingFloe = body !== null;
    let numbers = null;
    try {
      if (body !== null) numbers = await this.run.floe(body, place);
    } catch (error) {
      this.tell(error);
    }
    // The reader may have chosen another one, or none, meanwhile.
    if (this.wish !== wish) return;
    this.isAskingFloe = false;
    this.chosen = numbers && { body, record: place.record, path: numbers.path };
    $("floe").hidden = numbers === null;
    if (numbers) showFloe(numbers);
    this.want();
  }

  /** Chooses a floe by its number or name, and shows where it is. */
  find(text) {
    const { names, bodies: count } = this.run.scene, last = Math.max(this.run.bodies.count, count) - 1;
    const word = text.trim().replace(/^(floe|obstacle)\s+/i, "");
    const named = Object.keys(names).find(body => names[body].toLowerCase() === text.trim().toLowerCase());
    const body = /^\d+$/.test(word) ? Number(word) : named === undefined ? null : Number(named);
    if (body === null || body > last) {
      this.notice(`There is no floe “${text.trim()}”: numbers go from 0 to ${last}.`);
      return;
    }
    this.notice("");
    this.choose(body);
    if (!this.renderer.isThere(body)) {
      this.notice(`Floe ${body} is not in the world at this time.`);
      return;
    }
    const { camera } = this, [x, y] = this.poseOf(body), radius = Math.max(this.renderer.bodies.radius[body], 1e-9);
    camera.show(x, y, camera.width / Math.max(camera.scale, FOUND / radius));
    this.want();
  }

  // --- pictures and films --------------------------------------------------------------------------------------

  /** Puts what is shown into one canvas; to be called right after it was drawn. */
  compose() {
    const { theme, run } = this, bar = $("legend-bar");
    const legend = bar.hidden ? null : { name: $("legend-name").textContent, low: $("legend-low").textContent, high: $("legend-high").textContent, bar };
    this.picture.draw({
      under: $("under"), ice: $("ice"), over: $("over"), ratio: this.overlay.ratio, theme, water: getComputedStyle($("sea")).backgroundColor,
      title: run.scene.title, clock: $("clock").textContent, legend,
    });
  }

  savePicture() {
    if (!this.shown) return;
    this.draw(this.shown);
    this.compose();
    this.picture.save(fileName(this.run.scene.title, this.time));
  }

  /** Plays to the end and saves what is shown meanwhile; ends a film that is being made. A live run is filmed as it goes on. */
  toggleFilm() {
    if (this.film) {
      this.endFilm();
      return;
    }
    if (!this.shown) return;
    try {
      this.draw(this.shown);
      this.compose();
      this.film = new Film(this.picture, fileName(this.run.scene.title, this.time));
    } catch (error) {
      this.tell(error);
      return;
    }
    $("film").classList.add("recording");
    $("film").textContent = "■ Stop";
    if (!this.isFollowing && !this.isPlaying) this.play(true);
  }

  endFilm() {
    if (!this.film) return;
    this.film.stop();
    this.film = null;
    $("film").classList.remove("recording");
    $("film").textContent = "● Film";
  }

  // --- the address ---------------------------------------------------------------------------------------------

  /** What is shown, as words of the address; what is as it is at first is left out. */
  words() {
    const { camera, painter, run } = this, [left, bottom] = run.scene.origin_m;
    const range = painter.mode === "given" ? painter.given.join(",") : painter.mode;
    const number = value => Number(value.toPrecision(8));
    return {
      t: this.isFollowing || this.time === run.times[0] ? null : number(this.time),
      color: this.field === "speed" ? null : this.field,
      map: this.map || null,
      range: range === "robust" ? null : range,
      marks: this.marksTouched ? MARKS.filter(mark => this.shows(mark)).join(",") : null,
      field: $("weather").value || null,
      floe: this.chosen ? this.chosen.body : null,
      follow: $("follow-ice").checked === run.scene.follows_ice ? null : Number($("follow-ice").checked),
      view: camera.isUntouched ? null : [camera.x + left, camera.y + bottom, camera.width / camera.scale].map(number).join(","),
    };
  }

  /** Takes over the words of an address; what makes no sense is left alone. */
  apply(words) {
    if (FIELDS[words.color]) this.field = words.color;
    this.map = MAPS[words.map] ? words.map : "";
    const ends = (words.range ?? "").split(",").map(Number);
    if (RANGES[words.range]) this.painter.mode = words.range;
    else if (ends.length === 2 && ends[0] < ends[1]) [this.painter.mode, this.painter.given] = ["given", ends];
    if (words.marks !== undefined) {
      this.marksTouched = true;
      for (const mark of MARKS) $(`show-${mark}`).checked = words.marks.split(",").includes(mark);
    }
    if (["wind", "current"].includes(words.field)) $("weather").value = words.field;
    if (words.follow !== undefined) $("follow-ice").checked = words.follow === "1";
    [$("field").value, $("color-map").value, $("range").value] = [this.field, this.map, this.painter.mode];
    $("given").hidden = this.painter.mode !== "given";
    const time = Number(words.t ?? NaN), { run } = this;
    if (Number.isFinite(time) && !run.state.live) this.goTo(time);
    if (/^\d+$/.test(words.floe) && Number(words.floe) < run.bodies.count) this.choose(Number(words.floe));
    if (this.isOpened) this.lookAt(words.view);
    this.loadTrails();
    this.want();
  }

  /** Shows a middle and a width of the view in metres of the scenario, as the address tells them. */
  lookAt(view) {
    const [x, y, across] = (view ?? "").split(",").map(Number), [left, bottom] = this.run.scene.origin_m;
    if (Number.isFinite(x + y) && across > 0) this.camera.show(x - left, y - bottom, across);
  }

  // --- what the reader does ------------------------------------------------------------------------------------

  listen() {
    steer($("over"), this.camera, () => this.want(), (px, py) => this.choose(this.shown ? this.renderer.bodyAt(...this.camera.toSea(px, py)) : null));
    $("zoom-in").addEventListener("click", () => { this.camera.zoom(1.5); this.want(); });
    $("zoom-out").addEventListener("click", () => { this.camera.zoom(1 / 1.5); this.want(); });
    $("zoom-all").addEventListener("click", () => { this.showAll(); this.want(); });
    $("play").addEventListener("click", () => this.play(!this.isPlaying));
    $("back").addEventListener("click", () => this.step(-1));
    $("forth").addEventListener("click", () => this.step(1));
    $("slider").addEventListener("input", () => { this.play(false); this.goToRecord(Number($("slider").value)); });
    $("field").addEventListener("change", () => { this.field = $("field").value; this.want(); });
    $("color-map").addEventListener("change", () => { this.map = $("color-map").value; this.want(); });
    $("range").addEventListener("change", () => this.setRange($("range").value));
    for (const id of ["range-low", "range-high"]) $(id).addEventListener("input", () => this.setRange("given"));
    $("weather").addEventListener("change", () => this.want());
    $("find").addEventListener("keydown", event => { if (event.key === "Enter") this.find($("find").value); });
    $("picture").addEventListener("click", () => this.savePicture());
    $("film").addEventListener("click", () => this.toggleFilm());
    $("help-open").addEventListener("click", () => $("help").showModal());
    $("over").addEventListener("pointermove", event => { this.cursor = [event.offsetX, event.offsetY]; this.showCursor(); });
    $("over").addEventListener("pointerleave", () => { this.cursor = null; this.showCursor(); });
    window.addEventListener("hashchange", () => this.apply(readAddress()));
    $("speed").addEventListener("change", () => { this.rate = Number($("speed").value); });
    $("floe-close").addEventListener("click", () => this.choose(null));
    $("theme").addEventListener("click", () => this.turnTheme());
    for (const mark of MARKS) {
      $(`show-${mark}`).addEventListener("change", () => { this.marksTouched = true; this.loadTrails(); this.want(); });
    }
    $("follow-ice").addEventListener("change", () => {
      this.framing.forget();
      // A camera that is told to stay does not run after the ice.
      if (!$("follow-ice").checked) this.camera.isUntouched = false;
      this.want();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.readTheme());
    new ResizeObserver(() => this.resize()).observe($("sea"));
    document.addEventListener("keydown", event => this.key(event));
    $("ice").addEventListener("webglcontextlost", event => event.preventDefault());
    $("ice").addEventListener("webglcontextrestored", () => { this.renderer.setUp(); this.want(); });
  }

  /** Colours span another range; two numbers are those beside it. */
  setRange(mode) {
    const ends = [$("range-low").valueAsNumber, $("range-high").valueAsNumber];
    if (mode === "given" && ends.every(Number.isFinite)) this.painter.given = ends;
    this.painter.mode = mode;
    $("given").hidden = mode !== "given";
    this.want();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    const { tagName, type } = event.target;
    const isTyping = (tagName === "INPUT" && ["number", "search"].includes(type)) || tagName === "SELECT";
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
      p: () => this.savePicture(),
      f: () => this.toggleFilm(),
      "/": () => $("find").focus(),
      "?": () => $("help").showModal(),
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
    $("color-map").add(new Option("automatic", ""));
    for (const name of Object.keys(MAPS)) $("color-map").add(new Option(name, name));
    for (const [mode, name] of Object.entries(RANGES)) $("range").add(new Option(name, mode));
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
    const css = Object.fromEntries(["paper", "ink", "muted", "line", "accent", "mark", "pick", "trail"].map(name => [name, style.getPropertyValue(`--${name}`).trim()]));
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

try {
  window.banquise = new Page(await Run.open());
} catch (error) {
  $("notice").textContent = error.message;
  $("status").textContent = "";
}
